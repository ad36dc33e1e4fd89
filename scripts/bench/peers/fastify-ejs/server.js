import view from '@fastify/view';
import ejs from 'ejs';
import fastify from 'fastify';
import { findUser } from '../shared/database.js';
import { loadListPage } from '../shared/list-page.js';

const app = fastify();
await app.register(view, { engine: { ejs }, root: import.meta.dirname, production: true });

app.get('/healthz', () => 'ok\n');

app.get('/flight-logs', async (request, reply) => {
  const user = await findUser(request.headers.cookie);
  if (!user) return reply.redirect('/login');
  return reply.view('flight-logs.ejs', await loadListPage(user));
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });

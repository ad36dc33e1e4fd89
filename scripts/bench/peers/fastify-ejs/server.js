import view from '@fastify/view';
import ejs from 'ejs';
import fastify from 'fastify';
import { ANSWERS } from '../shared/answers.js';
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

for (const [address, answer] of Object.entries(ANSWERS)) {
  app.get(address, async (request, reply) => {
    if (!(await findUser(request.headers.cookie))) return reply.code(401).send({ error: 'Unauthorized' });
    return answer();
  });
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });

import express from 'express';
import { ANSWERS } from '../shared/answers.js';
import { findUser } from '../shared/database.js';

const app = express();

app.get('/healthz', (_request, response) => response.type('text').send('ok\n'));

for (const [address, answer] of Object.entries(ANSWERS)) {
  app.get(address, async (request, response) => {
    if (!(await findUser(request.headers.cookie))) return response.status(401).json({ error: 'Unauthorized' });
    response.json(await answer());
  });
}

app.listen(process.env.PORT, '127.0.0.1');

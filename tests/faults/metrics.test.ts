import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, startServer, type TestServer } from '#tests/support/server.ts';

let server: TestServer;
let port: number;
beforeAll(async () => {
  port = await freePort();
  server = await startServer({ METRICS_PORT: String(port), LOG_LEVEL: 'info' });
});
afterAll(() => server.stop());

it('B544: x', async () => {
  await fetch(`${server.url}/login`);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  console.log(await answer.text());
});

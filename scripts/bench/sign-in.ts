import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '#app/domain/people/passwords.server.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { BASE, type ServedApp, signIn, withServedApp } from './support/served-app.ts';

const CONNECTIONS = 100;
const SIGN_INS = 12;
const PAUSE_MS = 100;
const FLOOD_MS = 3000;

/** How long a right sign-in takes, idle and while a hundred connections send wrong ones. */
export async function bench(): Promise<void> {
  await withServedApp(async ({ db, school }: ServedApp) => {
    const { id, username } = school.administrator;
    await db
      .updateTable('users')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', id)
      .execute();
    const known = await signIn(username);
    await measure(username, known);
    const idle = await measure(username, known);
    const report = async (name: string, cookie: string) => {
      const { median, worst, statuses } = await measure(username, cookie);
      const times = `median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
      console.log(`${name}: ${times} (${statuses.join(', ')}), ${(median / idle.median).toFixed(1)} × idle`);
    };
    console.log(`idle: median ${idle.median.toFixed(0)} ms, worst ${idle.worst.toFixed(0)} ms`);
    for (const [name, address] of Object.entries(FLOODS)) {
      await db.deleteFrom('login_attempts').execute();
      const flood = startFlood(address);
      await report(`${name}, known device, at once`, known);
      await report(`${name}, new device, at once`, '');
      await sleep(FLOOD_MS);
      await report(`${name}, known device, later`, known);
      await report(`${name}, new device, later`, '');
      console.log(`${name}: ${await flood.stop()}`);
    }
  });
}

let hosts = 0;
const FLOODS: Record<string, () => string> = {
  'from one address': () => '198.51.100.7',
  'from many addresses of a range': () => `10.0.${((hosts += 1) >> 8) & 255}.${hosts & 255}`,
  'from everywhere': () => `${(hosts += 1) & 127}.${(hosts >> 7) & 255}.${(hosts >> 15) & 255}.9`,
};

/** Each connection sends its next wrong sign-in as soon as the last one is answered. */
function startFlood(address: () => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers: Record<string, number> = {};
  let running = true;
  const loops = Array.from({ length: CONNECTIONS }, async () => {
    while (running) {
      const { status } = await post(agent, { username: `nobody ${randomUUID()}`, password: 'wrong' }, address());
      answers[status] = (answers[status] ?? 0) + 1;
    }
  });
  const stop = async () => {
    running = false;
    await Promise.all(loops);
    agent.destroy();
    return Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  };
  return { stop };
}

async function measure(username: string, cookie: string) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const statuses = new Set<number>();
  for (let count = 0; count < SIGN_INS; count += 1) {
    const start = performance.now();
    const { status } = await post(agent, { username, password: PASSWORD }, '203.0.113.5', cookie);
    times.push(performance.now() - start);
    statuses.add(status);
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (times.length - 1))] ?? 0;
  return { median: at(0.5), worst: at(1), statuses: [...statuses] };
}

function post(agent: Agent, body: object, address: string, cookie = ''): Promise<{ status: number }> {
  const headers = { 'content-type': 'application/json', origin: BASE, cookie, 'x-forwarded-for': address };
  return new Promise((resolve) => {
    const sent = request(`${BASE}/api/login`, { method: 'POST', agent, headers }, (answer) =>
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0 })),
    );
    sent.once('error', () => resolve({ status: 0 })).end(JSON.stringify(body));
  });
}

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { routePaths } from '#tests/support/screen-routes.ts';
import { median } from './support/figures.ts';
import { BASE, type ServedApp, withServedApp } from './support/served-app.ts';

/** Milliseconds of the event loop that one request of a stranger may cost. */
const LIMIT_MS = 20;
/**
 * Number of requests that are measured again: those that cost most at the first try, when some code was not compiled
 * yet.
 */
const REMEASURED = 60;
const REPEATS = 7;
const WORST = 10;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const KIB = 1024;

interface Cost {
  name: string;
  milliseconds: number;
}

/**
 * Measures what requests without a session cost the event loop: all routes, methods and the largest of each part of a
 * request.
 */
export async function bench(): Promise<void> {
  await withServedApp(async ({ pid }: ServedApp) => {
    const requests = [...hostileRequests()];
    const once = [];
    for (const request of requests) once.push({ request, milliseconds: await costOf(pid, request[1], 1) });
    once.sort((one, other) => other.milliseconds - one.milliseconds);
    const costs: Cost[] = [];
    for (const { request } of once.slice(0, REMEASURED))
      costs.push({ name: request[0], milliseconds: await costOf(pid, request[1], REPEATS) });
    costs.sort((one, other) => other.milliseconds - one.milliseconds);
    for (const { name, milliseconds } of costs.slice(0, WORST))
      console.log(`${milliseconds.toFixed(1).padStart(7)} ms  ${name}`);
    console.log(`${requests.length} requests; at most ${LIMIT_MS} ms each`);
    if ((costs[0]?.milliseconds ?? 0) > LIMIT_MS) process.exitCode = 1;
  });
}

/** Returns the median, since a collection of garbage is no cost of this request. */
async function costOf(pid: number, request: string, repeats: number): Promise<number> {
  const costs: number[] = [];
  for (let count = 0; count < repeats; count += 1) {
    const before = eventLoopTime(pid);
    await send(request);
    costs.push(eventLoopTime(pid) - before);
  }
  return median(costs);
}

/** Returns the milliseconds that the process's main thread has had. */
function eventLoopTime(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

function send(request: string): Promise<void> {
  const { hostname, port } = new URL(BASE);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) });
    socket.on('error', () => {}).once('close', () => resolve());
    // The request is not ended, because the server gives up a page whose client has closed its side.
    socket.resume().write(request);
  });
}

/** Returns requests by name: each route with each method, plain and with each part as large as it may be. */
function hostileRequests(): Map<string, string> {
  const requests = new Map<string, string>();
  for (const route of addresses()) {
    for (const path of route.startsWith('/api') ? [route] : [route, `${route}.data`]) {
      for (const method of METHODS) {
        for (const [name, part] of Object.entries(PARTS))
          requests.set(`${method} ${path}, ${name}`, toMessage(method, path, part));
      }
    }
  }
  return requests;
}

/** Returns one address of every route of the build, and some that no route has. */
function addresses(): string[] {
  const routes = routePaths().map((route) => route.replace(/\*$/, 'none').replace(/:\w+/g, '1'));
  return [...routes, '/a'.repeat(16), '/__manifest', `/${'a'.repeat(1000)}`, '/assets/none.js'];
}

const OWN = `Sec-Fetch-Site: same-origin\r\nOrigin: ${BASE}`;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const fill = (bytes: number, piece: string) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

interface Part {
  headers?: string;
  query?: string;
  type?: string;
  body?: string;
}

function toMessage(method: string, path: string, { headers = OWN, query = '', type = FORM, body = '' }: Part): string {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const length = hasBody ? `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : '';
  const head = `${method} ${path}${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n${length}`;
  return `${head}\r\n${hasBody ? body : ''}`;
}

const longHeader = (name: string, piece: string): Part => ({ headers: `${OWN}\r\n${name}${fill(14 * KIB, piece)}` });
const marks = '\u0301'.repeat(1700) + '\u0316'.repeat(1700);
const marked = { username: marks, email: marks, password: 'abcdef', invitationToken: 'a' };
const field = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';

/** Parts of a request, each below 16 kB. */
const PARTS: Record<string, Part> = {
  plain: {},
  'from another site': { headers: 'Sec-Fetch-Site: cross-site' },
  'a long query': { query: `?${fill(4 * KIB, 'a=b&')}` },
  'a query of paths': { query: `?${fill(4 * KIB, 'p=/a/a/a/a/a&')}` },
  'a deep way back': { query: `?to=${fill(4 * KIB - 3, '/a')}` },
  'routes in the query': { query: `?_routes=${fill(4 * KIB - 8, 'root,')}` },
  'an escaped query': { query: `?token=${fill(4 * KIB - 6, '%F0%9F%9B%A9')}` },
  'a long cookie': longHeader('Cookie: flightline=', 'YWFh'),
  'many cookies': longHeader('Cookie: ', 'flightline=a.b; '),
  'many languages': longHeader('Accept-Language: ', 'en;q=0.1,'),
  'many hops': longHeader('X-Forwarded-For: 1.1.1.1', ',1.1.1.1'),
  'many fields': { body: fill(15 * KIB, 'a=&') },
  'fields of lists': { body: fill(15 * KIB, 'a[99]=&') },
  'a deep field': { body: `${fill(15 * KIB, 'a.')}=1` },
  'a long field': { body: `username=${fill(15 * KIB, '%20')}` },
  'combining marks': { type: 'application/json', body: JSON.stringify(marked) },
  'marks in a form': { body: `username=${fill(7 * KIB, '%CC%81')}&email=${fill(7 * KIB, '%CC%81%CC%96')}` },
  'deep JSON': { type: 'application/json', body: fill(15 * KIB, '[') },
  'wide JSON': { type: 'application/json', body: `{${'"a":1,'.repeat(2500)}"b":1}` },
  'many parts': { type: MULTIPART, body: `${fill(15 * KIB, field)}--x--` },
  text: { type: 'text/plain', body: fill(15 * KIB, 'x') },
};

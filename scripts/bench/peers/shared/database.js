import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { sessionIdOf } from './session.js';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  application_name: process.env.BENCH_NAME,
  max: 10,
  idleTimeoutMillis: 0,
});

/** The user of the session, by the product's statement; undefined without one. */
export async function findUser(cookieHeader) {
  const id = sessionIdOf(cookieHeader);
  if (id === undefined) return undefined;
  const { sessionId, statements } = recorded();
  const { text, values } = statements.session;
  const [user] = await query({ text, values: values.map((value) => (value === sessionId ? id : value)) });
  return user;
}

/** The rows of each statement of an address, all of them at once. */
export function findRows(address) {
  return Promise.all(recorded().statements[address].map(query));
}

let read;

/** By address: what the product sends for it, as recorded on the wire. */
function recorded() {
  return (read ??= JSON.parse(readFileSync(process.env.BENCH_STATEMENTS, 'utf8')));
}

/** Prepared, as the product's are. */
async function query({ text, values }) {
  return (await pool.query({ name: nameOf(text), text, values })).rows;
}

const names = new Map();

function nameOf(text) {
  if (!names.has(text)) names.set(text, createHash('sha256').update(text).digest('hex').slice(0, 32));
  return names.get(text);
}

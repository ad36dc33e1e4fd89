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

/** Returns the user of the session, by the product's statement; undefined without one. */
export async function findUser(cookieHeader) {
  const id = sessionIdOf(cookieHeader);
  if (id === undefined) return undefined;
  const { sessionId, statements } = recorded();
  const { text, values } = statements.session;
  const [user] = await query({ text, values: values.map((value) => (value === sessionId ? id : value)) });
  return user;
}

/** Runs the statements of an address, all of them at once, and returns the rows of each. */
export function findRows(address) {
  return Promise.all(recorded().statements[address].map(query));
}

let read;

/** Reads the statements that the product sends, by address, as recorded on the wire. */
function recorded() {
  return (read ??= JSON.parse(readFileSync(process.env.BENCH_STATEMENTS, 'utf8')));
}

/** The query is prepared, as the product's are. */
async function query({ text, values }) {
  return (await pool.query({ name: nameOf(text), text, values })).rows;
}

const names = new Map();

function nameOf(text) {
  if (!names.has(text)) names.set(text, createHash('sha256').update(text).digest('hex').slice(0, 32));
  return names.get(text);
}

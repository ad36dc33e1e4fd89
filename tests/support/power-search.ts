import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import type { TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import { pick, type Random, randomFrom } from '../../scripts/chaos/random.ts';
import { bearerOf } from './access-tokens.ts';
import type { Answer } from './answers.ts';
import { seed } from './drawn.ts';
import { apiRows } from './matrix/api-rows.ts';
import type { MatrixRow } from './matrix/cells.ts';
import { matrixFixtures } from './matrix/fixtures.ts';
import { formRows } from './matrix/form-rows.ts';
import { furtherApiRows } from './matrix/further-api-rows.ts';
import { furtherFormRows } from './matrix/further-form-rows.ts';
import { makeGuardedSchool, powerGained, powerIn } from './power.ts';
import { cookieOf } from './requests.ts';
import { answerTo } from './routes.ts';
import { makeUser, PASSWORD } from './school.ts';
import { makeSecondFactor } from './second-factor.ts';
import { ageProof } from './sessions.ts';

/** Somebody who does not know the administrator's password. */
export type Sender = 'stale session' | TokenScope;

/** What would give power in place of a field's value. */
const GREEDY: Record<string, string | number | boolean> = {
  role: 'administrator',
  email: 'mine@thief.example',
  activityKeptDays: 90,
  administrators: '1',
  sendInvitations: '1',
  scope: 'manage',
  url: 'https://thief.example/',
  administratorsNeedSecondFactor: false,
};

/** Each request of the product that changes something, from the rows of the permission matrix, which leave out no route. */
export function powerSearch(db: Db) {
  const fixtures = matrixFixtures(db);
  const calls = [...apiRows(fixtures), ...furtherApiRows(db, fixtures)];
  const forms = [...formRows(fixtures), ...furtherFormRows(db, fixtures)];
  const rowsOf = (sender: Sender) =>
    (sender === 'stale session' ? [...calls, ...forms] : calls).filter((row) => isTried(row, sender));

  /** Sends paths of so many requests in one school; the first that gives power, request by request. */
  async function search(sender: Sender, paths: number, length: number): Promise<string[]> {
    const random = randomFrom(seed + length);
    const rows = rowsOf(sender);
    const { school } = await makeGuardedSchool(db);
    for (let path = 0; path < paths; path += 1) {
      const walk = await begin(school, sender, random);
      const names: string[] = [];
      for (let step = 0; step < length; step += 1) {
        const row = pick(random, rows);
        names.push(row.name);
        const gained = await walk(row, random() < 0.5);
        if (gained.length > 0) return [...names, ...gained];
      }
    }
    return [];
  }

  /** Sends each request by itself, as it is and with what would give power. */
  async function searchEach(sender: Sender, some: (rows: MatrixRow[]) => MatrixRow[]): Promise<string[]> {
    const random = randomFrom(seed);
    const { school } = await makeGuardedSchool(db);
    for (const row of some(rowsOf(sender))) {
      for (const isGreedy of [false, true]) {
        const walk = await begin(school, sender, random);
        const gained = await walk(row, isGreedy);
        if (gained.length > 0) return [row.name, isGreedy ? 'with what gives power' : 'as it is', ...gained];
      }
    }
    return [];
  }

  /** A path by a new administrator, whose later requests name what the earlier ones named or made. */
  async function begin(school: number, sender: Sender, random: Random) {
    const administrator = await makeUser(db, school, 'administrator');
    await makeSecondFactor(db, administrator);
    const send = await senderOf(db, administrator, sender);
    const named = new Map<unknown, number>();
    return async (row: MatrixRow, isGreedy: boolean): Promise<string[]> => {
      const make = row.id?.own;
      const id = make && (named.get(make) ?? (await make(administrator).catch(() => undefined)));
      // Nobody begins a second flight: what the path did before may stand in the way of this step.
      if (make && id === undefined) return [];
      if (id !== undefined) named.set(make, id);
      const request = row.valid(String(id ?? ''))('');
      if ((await request.clone().text()).includes(PASSWORD)) return [];
      const wanted = isGreedy ? await greedy(request, pick(random, Object.keys(GREEDY))) : request;
      const [before, older] = [await powerIn(db, school), await newest(school)];
      await send(wanted);
      for (const [maker, made] of await newest(school)) if (made !== older.get(maker)) named.set(maker, made);
      return powerGained(before, await powerIn(db, school));
    };
  }

  /** By the maker that stands for it in the rows. */
  async function newest(school: number): Promise<Map<unknown, number>> {
    const makers = { users: fixtures.user, invitations: fixtures.invitation, imports: fixtures.importedFile };
    const found = new Map<unknown, number>();
    for (const table of ['users', 'invitations', 'imports'] as const) {
      const rows = db.selectFrom(table).select('id').where('school_id', '=', school).orderBy('id', 'desc');
      const row = await rows.executeTakeFirst();
      if (row) found.set(makers[table], row.id);
    }
    return found;
  }

  return { calls, forms, search, searchEach };
}

/** Sends a request as somebody who does not know the administrator's password. */
export async function senderOf(
  db: Db,
  administrator: Member,
  sender: Sender,
): Promise<(request: Request) => Promise<Answer>> {
  const isSession = sender === 'stale session';
  const value = isSession ? await staleCookieOf(db, administrator) : await bearerOf(db, administrator, sender);
  return (request) => {
    request.headers.set(isSession ? 'cookie' : 'authorization', value);
    return answerTo(request);
  };
}

export async function staleCookieOf(db: Db, administrator: Member): Promise<string> {
  const cookie = await cookieOf(db, administrator);
  await ageProof(db, administrator, 16);
  return cookie;
}

/** The request with what gives power in place of what it says, and in one more field that it may not know. */
async function greedy(request: Request, further: string): Promise<Request> {
  const isWanted = (name: string, names: string[]) => names.includes(name) || name === further;
  const type = request.headers.get('content-type') ?? '';
  const headers = new Headers(request.headers);
  if (type === 'application/json') {
    const body: unknown = await request.json();
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
    const wanted = Object.entries(GREEDY).filter(([name]) => isWanted(name, Object.keys(body)));
    return new Request(request.url, {
      method: request.method,
      headers,
      body: JSON.stringify({ ...body, ...Object.fromEntries(wanted) }),
    });
  }
  if (!/form/.test(type)) return request;
  const form = await request.formData();
  for (const [name, value] of Object.entries(GREEDY)) {
    if (value === false) form.delete(name);
    else if (isWanted(name, [...form.keys()])) form.set(name, String(value));
  }
  headers.delete('content-type');
  const body = /multipart/.test(type)
    ? form
    : new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
  return new Request(request.url, { method: request.method, headers, body });
}

/** Signing in and out, links that came by mail, and reading photos, which takes long, are tried elsewhere. */
function isTried({ name }: MatrixRow, sender: Sender): boolean {
  // What a token may export stands in its label.
  if (sender === 'manage' && name.endsWith('/api/export')) return false;
  if (name.startsWith('GET ') && !name.includes('export')) return false;
  return !/\/(logout|login|auth|reset-password|ocr|analyze-image)\b| read-(hobbs|tach)/.test(name);
}

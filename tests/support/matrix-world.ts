import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import type { Answer } from './answers.ts';
import { completed, makeFlight } from './flight.ts';
import { type Cell, JUNK, MISSING } from './matrix.ts';
import { cookieOf } from './requests.ts';
import { answerTo } from './routes.ts';
import { makeAircraft, makeSchool, makeUser } from './school.ts';

/** What one cell of the matrix came to, for one id. */
export interface Outcome {
  id: string;
  answer: Answer;
  /** Whether anything is stored that was not before, or otherwise; sessions and drafts aside. */
  changed: boolean;
}

/** Makes what ids name, in a given user's school. */
export type MatrixWorld = Omit<Awaited<ReturnType<typeof matrixWorld>>, 'play'>;

/** A school and another one in which every name holds the word 'secret', with ways to make what ids name. */
export async function matrixWorld(db: Db) {
  const schoolId = await makeSchool(db);
  const secretSchoolId = await makeSchool(db, { name: 'Secret School', address: 'Secret Road', phone: 'secret' });
  let secrets = 0;
  const stranger = () => makeUser(db, secretSchoolId, 'student', `secret-${(secrets += 1)}`);
  const nameOf = (owner: Member) =>
    owner.schoolId === secretSchoolId ? { tail_number: `SECRET${(secrets += 1)}`, make: 'Secret' } : {};
  const landed = completed(hoursAgo(2), hoursAgo(1));

  const things = {
    aircraft: (owner: Member) => makeAircraft(db, owner.schoolId, nameOf(owner)),
    grounded: (owner: Member) => makeAircraft(db, owner.schoolId, { ...nameOf(owner), maintenance_since: new Date() }),
    flying: async (owner: Member) => {
      const id = await things.aircraft(owner);
      await makeFlight(db, await makeUser(db, owner.schoolId), id);
      return id;
    },
    flight: async (owner: Member) =>
      makeFlight(db, owner, await things.aircraft(owner), { notes: `Note of ${owner.username}` }),
    /** Under way, with another pilot than the owner. */
    theirs: async (owner: Member) =>
      things.flight(await makeUser(db, owner.schoolId, 'student', `${owner.username}-pilot`)),
    flown: async (owner: Member) =>
      makeFlight(db, owner, await things.aircraft(owner), { ...landed, notes: `Note of ${owner.username}` }),
    scan: async (owner: Member) => {
      const { id } = await db
        .insertInto('scans')
        .values({
          school_id: owner.schoolId,
          aircraft_id: await things.aircraft(owner),
          user_id: owner.id,
          photo_id: await things.photo(owner),
          meter_type: 'hobbs',
          detected_text: '1234.5',
          confidence: '0.9',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    /** Another user of the owner's school. */
    user: async (owner: Member) => (await makeUser(db, owner.schoolId, 'student', `${owner.username}-friend`)).id,
    pilotInFlight: async (owner: Member) => {
      const pilot = await makeUser(db, owner.schoolId);
      await makeFlight(db, pilot, await things.aircraft(owner));
      return pilot.id;
    },
    invitation: async (owner: Member) => {
      const { id } = await db
        .insertInto('invitations')
        .values({
          school_id: owner.schoolId,
          name: `friend of ${owner.username}`,
          email: `${owner.username}@friends.example`,
          role: 'student',
          token_hash: `hash of ${owner.username}`,
          invited_by: owner.id,
          expires_at: new Date(Date.now() + 24 * 60 * 60 * 1000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    photo: async (owner: Member) => {
      const { id } = await db
        .insertInto('photos')
        .values({ school_id: owner.schoolId, user_id: owner.id, content: Buffer.from('jpeg'), width: 1, height: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
  };

  /** Sends the cell's request as its caller, anew for every id it stands for. */
  async function play({ line, who, which, send }: Cell): Promise<Outcome[]> {
    const caller = who === 'nobody' ? undefined : await makeUser(db, schoolId, who);
    const cookie = caller ? await cookieOf(db, caller) : '';
    const outcomes: Outcome[] = [];
    for (const id of await idsFor(line.id, which, caller)) {
      const before = await fingerprint(db);
      const answer = await answerTo(send(id)(cookie));
      outcomes.push({ id, answer, changed: (await fingerprint(db)) !== before });
    }
    return outcomes;
  }

  async function idsFor(named: Cell['line']['id'], which: Cell['which'], caller: Member | undefined) {
    if (!named) return [''];
    if (which === 'junk') return JUNK;
    if (which === 'missing') return [MISSING];
    const make = (which === 'busy' && named.busy) || named.own;
    const own = which === 'own' || which === 'busy' ? caller : undefined;
    const owner = which === 'foreign' ? await stranger() : (own ?? (await makeUser(db, schoolId)));
    return [String(await make(owner))];
  }

  return { ...things, play };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
}

const TABLES = [
  'schools',
  'users',
  'aircraft',
  'flight_logs',
  'fuel_records',
  'flight_log_revisions',
  'photos',
  'scans',
  'mail_outbox',
  'invitations',
  'password_links',
  'idempotency_keys',
  'audit_entries',
];

/** What is stored, but for sessions, drafts and attempts to sign in. */
export async function fingerprint(db: Db): Promise<string> {
  const prints = TABLES.map(
    (table) => sql`select md5(string_agg(t::text, '|' order by t::text)) as print from ${sql.table(table)} t`,
  );
  return JSON.stringify((await sql`${sql.join(prints, sql` union all `)}`.execute(db)).rows);
}

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import type { Answer } from '#tests/support/answers.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { LONG_TIMEOUTS } from '#tests/support/database.ts';
import { drawn, seed } from '#tests/support/drawn.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

vi.mock(import('#app/domain/meters/engine.server.ts'), () => import('#tests/support/fake-engine.ts'));
vi.mock(import('#db/deadlines.ts'), async (original) => ({ ...(await original()), TRANSACTION_RETRY_DELAY_MS: 1 }));
const { url, proxy } = await vi.hoisted(async () =>
  (await import('#tests/support/proxied-database.ts')).proxiedDatabase(),
);
const db: Db = connect(url, LONG_TIMEOUTS);
const CUTS_DRAWN = 2;
/** The others are for the night. */
const MAIN_CHANGES = ['a check-out by form', 'a check-in by form', 'a correction'];

let admin: Member, pilot: Member, aircraftId: number, flightId: number, key: string;

beforeAll(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
});

const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const starts = { startHobbsTime: '100.0', startTachTime: '90.0' };
const form = async (path: string, fields: Record<string, string>, by: Member) =>
  formRequest(path, { ...fields, requestId: key }, await cookieOf(db, by));
const json = async (path: string, body: object, by: Member) =>
  jsonRequest('POST', path, body, await cookieOf(db, by), { 'idempotency-key': key });
const correction = { ...starts, endHobbsTime: '101.4', endTachTime: '91.0', reason: 'Misread' };

interface Change {
  /** The flight it begins with, if any. */
  flight?: 'open' | 'completed';
  request: () => Promise<Request>;
  /** What was done, as rows that are there once. */
  done: () => Promise<number>;
}

const rows = async (query: { execute(): Promise<unknown[]> }) => (await query.execute()).length;
const flights = (column: 'completed_at' | 'voided_at' | 'created_at') => () =>
  rows(db.selectFrom('flight_logs').select('id').where('aircraft_id', '=', aircraftId).where(column, 'is not', null));
const events = (action: 'corrected readings' | 'set to maintenance', subjectId: () => number) => () => {
  const done = db.selectFrom('audit_entries').select('id').where('action', '=', action);
  return rows(done.where('subject_id', '=', subjectId()));
};
const scans = () => rows(db.selectFrom('scans').select('id').where('aircraft_id', '=', aircraftId));

const CHANGES: Record<string, Change> = {
  'a check-out by form': {
    request: () => form('/flight-log?step=2', { aircraftId: String(aircraftId), ...starts, readAgain: 'on' }, pilot),
    done: flights('created_at'),
  },
  'a check-out by call': {
    request: () => json('/api/flight-logs', { aircraftId, ...starts }, pilot),
    done: flights('created_at'),
  },
  'a check-in by form': {
    flight: 'open',
    request: () => form(`/flight-log/${flightId}/post-check`, ends, pilot),
    done: flights('completed_at'),
  },
  'a check-in by call': {
    flight: 'open',
    request: () => json(`/api/flight-logs/${flightId}/complete`, ends, pilot),
    done: flights('completed_at'),
  },
  'a cancellation': {
    flight: 'open',
    request: () => form(`/flight-logs/${flightId}/cancel`, { reason: 'Fog' }, pilot),
    done: flights('voided_at'),
  },
  'closing on behalf': {
    flight: 'open',
    request: () => form(`/flight-logs/${flightId}/close`, { ...ends, reason: 'Left' }, admin),
    done: flights('completed_at'),
  },
  'a correction': {
    flight: 'completed',
    request: async () => {
      const path = `/flight-logs/${flightId}/correct`;
      const preview = await answerTo(await form(path, { ...correction, intent: 'preview' }, admin));
      const { preview: { digest = '' } = {} } = preview.body as { preview?: { digest?: string } };
      return form(path, { ...correction, intent: 'save', seen: digest }, admin);
    },
    done: events('corrected readings', () => flightId),
  },
  'a status': {
    request: () => form('/airplanes?index', { intent: 'set-maintenance', aircraftId: String(aircraftId) }, admin),
    done: events('set to maintenance', () => aircraftId),
  },
  'a photo in the check-out form': {
    request: async () => {
      const request = await form('/flight-log?step=1', {}, pilot);
      const fields = new FormData();
      const typed = { aircraftId: String(aircraftId), intent: 'read-hobbs', requestId: key };
      for (const [name, value] of Object.entries(typed)) fields.set(name, value);
      fields.set('startHobbsPhoto', new File([new Uint8Array(await codedMeter('12345'))], 'meter.png'));
      const { cookie = '', origin = '' } = Object.fromEntries(request.headers);
      return new Request(request.url, { method: 'POST', headers: { cookie, origin }, body: fields });
    },
    done: scans,
  },
};

/** A pilot and an aircraft of their own for each round. */
async function prepare({ flight }: Change): Promise<void> {
  // A cut that the test before did not come to.
  proxy.cutAnswer(Infinity);
  key = randomUUID();
  pilot = await makeUser(db, admin.schoolId);
  aircraftId = await makeAircraft(db, admin.schoolId);
  const flown = flight === 'completed' ? completed('2026-05-02T08:00:00Z', '2026-05-02T09:00:00Z') : {};
  flightId = flight ? await makeFlight(db, pilot, aircraftId, flown) : 0;
}

/** Sends the same again as long as the answer asks for it. */
async function sendUntilAnswered(request: Request): Promise<{ answer: Answer; refused: number }> {
  for (let refused = 0; ; refused += 1) {
    const answer = await answerTo(request.clone());
    if (answer.status !== 503 || refused > 20) return { answer, refused };
  }
}

const changes = Object.entries(CHANGES).filter(([name]) => takesAll || MAIN_CHANGES.includes(name));

describe.each(changes)('%s', (name, change) => {
  it(`${name} whose answer is cut after any statement, COMMIT too, is answered as the first time and done once (B506)`, async () => {
    await prepare(change);
    const uncut = await change.request();
    proxy.cutAnswer(Infinity);
    const first = await answerTo(uncut);
    const statements = [...proxy.statements];
    expect(statements).toContain('commit');
    expect([200, 201, 303]).toContain(first.status);
    for (const [index, statement] of drawnCuts(statements, name)) {
      await prepare(change);
      const request = await change.request();
      proxy.cutAnswer(index + 1);
      const { answer, refused } = await sendUntilAnswered(request);
      expect([answer.status, await change.done()], `cut after ${statement}, SEED=${seed}`).toEqual([first.status, 1]);
      if (statement === 'commit') expect(refused, 'times that the sender was told to try again').toBe(0);
    }
  });
});

/** Every COMMIT, and some of the other statements. */
function drawnCuts(statements: string[], name: string): [number, string][] {
  const cuts = [...statements.entries()];
  const isCommit = ([, statement]: [number, string]) => statement === 'commit';
  const others = cuts.filter((cut) => !isCommit(cut));
  return [...cuts.filter(isCommit), ...drawn(others, CUTS_DRAWN, name)];
}

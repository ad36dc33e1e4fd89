import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { startReceiver } from '#tests/support/receiver.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { insertToldWebhook, removeWebhook } from '#tests/support/webhooks.ts';
import type { Lab } from '../lab/lab.ts';
import { pick, type Random } from '../random.ts';
import { administrate, register } from './administrator.ts';
import { keepBooks } from './clerk.ts';
import { Client, type Person, type Shift } from './client.ts';
import { Ledger } from './ledger.ts';
import { fly, type Handover } from './pilot.ts';

const PILOTS = 6;

type Place = Pick<Lab, 'db' | 'front' | 'mailbox'>;

/** A school at work: six pilots, two administrators, a reader, the people invited, and a webhook. */
export interface Crew {
  schoolId: number;
  pilots: { person: Person; aircraftId: number }[];
  administrator: Person;
  ledger: Ledger;
  enter(role: Role): Promise<Person>;
  /** Returns once so many more writes are acknowledged, or after so many milliseconds. */
  acknowledges(count: number, limitMs?: number): Promise<void>;
  stop(): Promise<void>;
  /** Returns a sentence for each event that the webhook was not told; call it after `stop`. */
  checkEvents(db: Db): Promise<string[]>;
}

/** Signs everybody in, and sets them to work. */
export async function startCrew(lab: Place, random: Random, options: { timeZone?: string } = {}): Promise<Crew> {
  const { db, front } = lab;
  const ledger = new Ledger();
  const schoolId = await makeSchool(db, { time_zone: options.timeZone ?? 'UTC' });
  const enter = (role: Role) => signIn(db, front.url, schoolId, role, ledger, random);
  const administrator = await enter('administrator');
  const [reader, clerk] = [await enter('administrator'), await enter('administrator')];
  const paperAircraft = await makeAircraft(db, schoolId);
  const pilots: Crew['pilots'] = [];
  for (let number = 0; number < PILOTS; number += 1) {
    const person = await enter(number % 2 ? 'instructor' : 'student');
    pilots.push({ person, aircraftId: await makeAircraft(db, schoolId) });
  }
  // The receiver starts last, because nobody would stop it if somebody cannot sign in.
  const receiver = await startReceiver();
  const webhookId = await insertToldWebhook(db, schoolId, receiver.url);

  let isWorking = true;
  let stopReceiver: Promise<void> | undefined;
  const shift: Shift = { goesOn: () => isWorking, random };
  const left: Handover[] = [];
  const newcomer = new Client(front.url, '', ledger, random);
  const work = Promise.all([
    ...pilots.map(({ person, aircraftId }) => fly(person, aircraftId, left, shift)),
    administrate(administrator, left, shift),
    register(newcomer, lab.mailbox, schoolId, shift),
    read(reader, shift),
    keepBooks(clerk, paperAircraft, shift),
  ]);
  // The error is reported by `stop`.
  work.catch(() => {});

  return {
    ...{ schoolId, pilots, administrator, ledger, enter },
    acknowledges: async (count, limitMs = 60_000) => {
      const wanted = ledger.acknowledged + count;
      for (const end = Date.now() + limitMs; Date.now() < end && ledger.acknowledged < wanted;) await sleep(20);
    },
    stop: async () => {
      isWorking = false;
      await work.finally(() => (stopReceiver ??= receiver.stop()));
      // A primary that was taken away has nothing to remove.
      await removeWebhook(db, webhookId).catch(() => {});
    },
    checkEvents: (from) => {
      const aircraftIds = pilots.map(({ aircraftId }) => aircraftId);
      return checkEvents(from, webhookId, aircraftIds, new Set(receiver.received.map(({ id }) => id)));
    },
  };
}

async function signIn(
  db: Db,
  base: string,
  schoolId: number,
  role: Role,
  ledger: Ledger,
  random: Random,
): Promise<Person> {
  const user = await makeUser(db, schoolId, role);
  const response = await fetch(`${base}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ username: user.username, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`${user.username} cannot sign in: ${response.status} ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return { ...user, cookie, client: new Client(base, cookie, ledger, random) };
}

const PAGES = ['/', '/flight-logs', '/airplanes', '/users', '/api/flight-logs', '/readyz'];
const MAX_EXPORTS = 15;

/** Looks at pages, and now and then downloads the flight log. */
async function read({ client }: Person, { goesOn, random }: Shift) {
  for (let exports = 0; goesOn();) {
    await sleep(100 + random() * 200);
    if (random() < 0.1 && exports < MAX_EXPORTS) {
      exports += 1;
      await client.read('/api/flight-logs/export');
    } else {
      await client.read(pick(random, PAGES));
    }
  }
}

/**
 * Returns a sentence for each event that the webhook was not told exactly once; `received` are the ids of its messages.
 */
async function checkEvents(db: Db, webhookId: number, aircraftIds: readonly number[], received: ReadonlySet<string>) {
  const { rows } = await sql<{ id: number; started: number }>`
    select id, (select count(*)::integer from webhook_deliveries
      where webhook_deliveries.school_id = flight_logs.school_id and webhook_id = ${webhookId} and event = 'flight.started'
        and (data::jsonb ->> 'id')::integer = flight_logs.id) as started
    from flight_logs where aircraft_id in (${sql.join(aircraftIds)})`.execute(db);
  const wrong = rows.filter(({ started }) => started !== 1);
  const delivered = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('aircraft', 'aircraft.id', 'webhook_deliveries.aircraft_id')
    .select('message_id')
    .where('webhook_id', '=', webhookId)
    .where('aircraft.id', 'in', aircraftIds)
    .where('state', '=', 'delivered')
    .execute();
  const missed = delivered.filter(({ message_id }) => !received.has(message_id));
  return [
    ...(wrong.length > 0 ? [`${wrong.length} flights started without exactly one event`] : []),
    ...(missed.length > 0 ? [`${missed.length} events count as delivered that nobody received`] : []),
  ];
}

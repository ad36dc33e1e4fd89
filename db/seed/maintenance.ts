import { sql } from 'kysely';
import type { Trx } from '../connect.server.ts';
import type { NewRow, SquawkState } from '../tables.ts';
import { DEMO_TIME_ZONE, idOf, type IdsByName, DEMO_AIRCRAFT_IN_MAINTENANCE } from './demo-school.ts';

interface PlannedSquawk {
  tailNumber: string;
  author: string;
  daysAgo: number;
  text: string;
  /** The administrator's decision, a day later. */
  settled?: { state: SquawkState; remark: string; untilTachHours?: number };
}

const SQUAWKS: PlannedSquawk[] = [
  {
    ...{ tailNumber: 'N5182R', author: 'maria.santos', daysAgo: 4 },
    text: 'Right wing tie-down ring is bent. Still holds.',
  },
  {
    ...{ tailNumber: 'N738CP', author: 'tom.becker', daysAgo: 9 },
    text: 'Passenger sun visor does not stay up.',
    settled: { state: 'deferred', remark: 'New visor is ordered; taken out until then.', untilTachHours: 25 },
  },
  {
    ...{ tailNumber: 'N2287V', author: 'student', daysAgo: 16 },
    text: 'Nose strut flat after landing.',
    settled: { state: 'fixed', remark: 'Strut serviced to three inches, no leak found.' },
  },
];

interface PlannedInspection {
  tailNumber: string;
  name: string;
  /** Hours after the last tach reading, or days from today. */
  due: { tachHours: number } | { days: number };
  interval: Pick<NewRow<'inspections'>, 'interval_hours' | 'interval_months'>;
}

// Overdue and unsafe items are on the aircraft in maintenance, so that the others are checked out without questions.
const INSPECTIONS: PlannedInspection[] = [
  { tailNumber: 'N5182R', name: '100 h inspection', due: { tachHours: 3.4 }, interval: { interval_hours: '100' } },
  { tailNumber: 'N738CP', name: 'Oil change', due: { tachHours: 18.2 }, interval: { interval_hours: '50' } },
  { tailNumber: 'N738CP', name: 'Transponder check', due: { days: 40 }, interval: { interval_months: 24 } },
  { tailNumber: 'N77DA', name: 'Annual inspection', due: { days: 155 }, interval: { interval_months: 12 } },
  {
    ...{ tailNumber: DEMO_AIRCRAFT_IN_MAINTENANCE.tailNumber, name: 'Annual inspection' },
    ...{ due: { days: -5 }, interval: { interval_months: 12 } },
  },
];

interface School {
  id: number;
  users: IdsByName;
  aircraft: IdsByName;
  now: Date;
}

export async function insertSquawks(trx: Trx, school: School): Promise<void> {
  for (const { tailNumber, author, daysAgo, text, settled } of SQUAWKS) {
    const { id, last_tach: tach } = await findAircraft(trx, idOf(school.aircraft, tailNumber));
    const until = settled?.untilTachHours === undefined ? null : (Number(tach) + settled.untilTachHours).toFixed(2);
    await insertSquawk(trx, idOf(school.users, 'admin'), settled && { ...settled, until }, {
      ...{ school_id: school.id, aircraft_id: id, user_id: idOf(school.users, author), text },
      created_at: sql<Date>`${school.now}::timestamptz - ${daysAgo}::integer * interval '1 day'`,
    });
  }
  await insertUnsafeSquawk(trx, school);
}

/** Inserts the squawk that grounded the aircraft, as its last pilot wrote it. */
async function insertUnsafeSquawk(trx: Trx, school: School): Promise<void> {
  const flight = await trx
    .selectFrom('flight_logs')
    .select(['id', 'aircraft_id', 'user_id', 'notes', 'completed_at'])
    .where('aircraft_id', '=', idOf(school.aircraft, DEMO_AIRCRAFT_IN_MAINTENANCE.tailNumber))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await insertSquawk(trx, flight.user_id, undefined, {
    ...{ school_id: school.id, aircraft_id: flight.aircraft_id, flight_log_id: flight.id, user_id: flight.user_id },
    ...{ text: flight.notes, unsafe: true },
    created_at: sql<Date>`${flight.completed_at}::timestamptz`,
  });
}

async function insertSquawk(
  trx: Trx,
  settledBy: number,
  settled: { state: SquawkState; remark: string; until: string | null } | undefined,
  squawk: Omit<NewRow<'squawks'>, 'created_at'> & { created_at: ReturnType<typeof sql<Date>> },
): Promise<void> {
  const { id, created_at } = await trx
    .insertInto('squawks')
    .values({ ...squawk, state: settled?.state ?? 'open', until_tach: settled?.until ?? null })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  const event = { school_id: squawk.school_id, squawk_id: id };
  await trx
    .insertInto('squawk_events')
    .values({ ...event, user_id: squawk.user_id, state: 'open', created_at })
    .execute();
  if (!settled) return;
  const { state, remark, until } = settled;
  const aDayLater = new Date(created_at.getTime() + 24 * 60 * 60_000);
  await trx
    .insertInto('squawk_events')
    .values({ ...event, user_id: settledBy, state, remark, until_tach: until, created_at: aDayLater })
    .execute();
}

export async function insertInspections(trx: Trx, { id: schoolId, aircraft, now }: School): Promise<void> {
  for (const { tailNumber, name, due, interval } of INSPECTIONS) {
    const { id, last_tach: tach } = await findAircraft(trx, idOf(aircraft, tailNumber));
    await trx
      .insertInto('inspections')
      .values({
        ...{ school_id: schoolId, aircraft_id: id, name, ...interval },
        ...('days' in due
          ? { due_on: sql<string>`(${now}::timestamptz at time zone ${DEMO_TIME_ZONE})::date + ${due.days}::integer` }
          : { due_tach: (Number(tach) + due.tachHours).toFixed(2) }),
        // Marking it mailed keeps a demonstration from mailing anybody.
        overdue_mailed_at: 'days' in due && due.days < 0 ? now : null,
      })
      .execute();
  }
}

function findAircraft(trx: Trx, id: number) {
  return trx.selectFrom('aircraft').select(['id', 'last_tach']).where('id', '=', id).executeTakeFirstOrThrow();
}

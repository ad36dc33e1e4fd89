import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database, MeterChangeReason, MeterType } from '#db/tables.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import { LIST_BATCH_ROWS, RECENT_SQUAWK_FLIGHTS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { type FlightFilter, matchesFilter } from './logbook/flight-filter.server.ts';
import { FLIGHT_LOG_COLUMNS, type FlightLog, type OpenFlight } from './schema.server.ts';

/** Position in a list: the keys of a row. */
export interface Cursor {
  createdAt: string;
  id: number;
}

interface FlightLogQuery extends FlightFilter {
  after?: Cursor | undefined;
  before?: Cursor | undefined;
  limit?: number | undefined;
  includeCancelled?: boolean;
}

/** The school's flights, newest start first, without cancelled check-outs unless they are included. */
export async function findFlightLogs(db: Db | Trx, schoolId: number | null, filter: FlightLogQuery = {}) {
  const rows = await flightLogListQuery(db, schoolId, filter).execute();
  return (filter.before ? rows.toReversed() : rows).map(toFlightLog);
}

/** The same, each batch by a statement of its own: who reads slowly keeps no connection, and meets no time limit. */
export async function* findFlightLogBatches(
  db: Db,
  schoolId: number | null,
  { after: start, ...filter }: FlightLogQuery,
): AsyncGenerator<FlightLog[], void> {
  const find = (after = start) => findFlightLogs(db, schoolId, { ...filter, after, limit: LIST_BATCH_ROWS });
  let logs = await find();
  yield logs;
  for (let last = logs.at(-1); last && logs.length === LIST_BATCH_ROWS; last = logs.at(-1)) {
    const { createdAt, id } = last;
    logs = await withoutWaitingBudget(() => find({ createdAt, id }));
    yield logs;
  }
}

/** The flights beside a flight in the list under the filter; null at its ends. */
export function findNeighbourIds(db: Db, schoolId: number | null, flight: Cursor, filter: FlightFilter) {
  const beside = (comparison: '<' | '>') =>
    db
      .selectFrom('flight_logs')
      .select('flight_logs.id')
      .where('flight_logs.school_id', '=', schoolId)
      .where('flight_logs.voided_at', 'is', null)
      .where(matchesFilter(filter, schoolId))
      .where(position, comparison, cursorRow(flight))
      .orderBy('flight_logs.created_at', comparison === '<' ? 'desc' : 'asc')
      .orderBy('flight_logs.id', comparison === '<' ? 'desc' : 'asc')
      .limit(1);
  return db.selectNoFrom([beside('>').as('newer'), beside('<').as('older')]).executeTakeFirstOrThrow();
}

/** Undefined outside the school. */
export async function findFlightLog(
  db: Db | Trx,
  schoolId: number | null,
  id: number,
  options?: { includeCancelled: boolean },
): Promise<FlightLog | undefined> {
  const found = await flightLogQuery(db, schoolId, options).where('flight_logs.id', '=', id).executeTakeFirst();
  return found && toFlightLog(found);
}

/** The one flight that the pilot has not completed. */
export async function findOwnOpenFlight(trx: Trx, schoolId: number, pilotId: number): Promise<FlightLog | undefined> {
  const found = await flightLogQuery(trx, schoolId)
    .where('flight_logs.completed_at', 'is', null)
    .where('flight_logs.user_id', '=', pilotId)
    .executeTakeFirst();
  return found && toFlightLog(found);
}

/** Newest first; of one pilot if `userId` is given, those that `only` lets through. */
export async function findOpenFlights(
  db: Db | Trx,
  schoolId: number | null,
  userId?: number,
  only?: Expression<boolean>,
): Promise<OpenFlight[]> {
  const logs = await flightLogQuery(db, schoolId)
    .where('flight_logs.completed_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('flight_logs.user_id', '=', userId ?? 0))
    .$if(only !== undefined, (query) => query.where(only ?? sql<boolean>`true`))
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .execute();
  return logs.map(toFlightLog).map(({ id, createdAt, user, aircraft }) => ({
    id,
    createdAt,
    user: { id: user.id, username: user.username },
    aircraft,
  }));
}

/** Notes of the aircraft's last completed flights, newest first. */
export async function findRecentSquawks(db: Db | Trx, schoolId: number | null, aircraftId: number) {
  const rows = await db
    .selectFrom('flight_logs')
    .innerJoin('users as pilot', 'pilot.id', 'flight_logs.user_id')
    .select(['flight_logs.id', 'notes', 'completed_at'])
    .select(['pilot.id as pilot_id', 'pilot.username'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('completed_at', 'is not', null)
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .limit(RECENT_SQUAWK_FLIGHTS)
    .execute();
  return rows.filter((row) => row.notes !== '');
}

/** The one query behind screens, API and export. */
function flightLogQuery(db: Db | Trx, schoolId: number | null, { includeCancelled = false } = {}) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('aircraft', 'aircraft.id', 'flight_logs.aircraft_id')
    .innerJoin('users as pilot', 'pilot.id', 'flight_logs.user_id')
    .leftJoin('users as instructor', 'instructor.id', 'flight_logs.instructor_id')
    .where('flight_logs.school_id', '=', schoolId)
    .$if(!includeCancelled, (query) => query.where('flight_logs.voided_at', 'is', null))
    .select(FLIGHT_LOG_COLUMNS)
    .select('voided_at')
    .select(['aircraft.id as aircraft_id', 'aircraft.tail_number', 'aircraft.make', 'aircraft.model'])
    .select(['pilot.id as pilot_id', 'pilot.username as pilot_username', 'pilot.email as pilot_email'])
    .select(['instructor.id as instructor_id', 'instructor.username as instructor_username'])
    .select(['start_hobbs_photo_id', 'start_tach_photo_id', 'end_hobbs_photo_id', 'end_tach_photo_id'])
    .select(['hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first'])
    .select([changeReasonOf('hobbs').as('hobbs_change'), changeReasonOf('tachometer').as('tach_change')])
    .select(fuelRecordsJson)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('flight_log_revisions')
          .select('flight_log_revisions.id')
          .whereRef('flight_log_revisions.school_id', '=', 'flight_logs.school_id')
          .whereRef('flight_log_revisions.flight_log_id', '=', 'flight_logs.id'),
      ).as('corrected'),
    );
}

type FlightLogRow = Awaited<ReturnType<ReturnType<typeof flightLogQuery>['execute']>>[number];

function toFlightLog(row: FlightLogRow): FlightLog {
  const { aircraft_id, tail_number, make, model, pilot_id, pilot_username, pilot_email, ...others } = row;
  const { instructor_id, instructor_username, fuel_records, voided_at, ...rest } = others;
  const { start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id, ...stored } = rest;
  const { hobbs_old_last, hobbs_new_first, hobbs_change, tach_old_last, tach_new_first, tach_change, ...log } = stored;
  return {
    ...log,
    aircraft: { id: aircraft_id, tailNumber: tail_number, make, model },
    user: { id: pilot_id, username: pilot_username, email: pilot_email },
    instructor:
      instructor_id === null || instructor_username === null
        ? null
        : { id: instructor_id, username: instructor_username },
    status: voided_at ? 'cancelled' : log.completedAt ? 'completed' : 'in_progress',
    createdAt: log.createdAt.toISOString(),
    completedAt: log.completedAt?.toISOString() ?? null,
    departedAt: (log.departedAt ?? log.createdAt).toISOString(),
    landedAt: (log.landedAt ?? log.completedAt)?.toISOString() ?? null,
    fuelRecords: fuel_records.map(({ receiptPhotoId, ...record }) => ({
      ...record,
      fuelReceiptImage: photoPath(receiptPhotoId),
    })),
    meterPhotos: {
      startHobbs: photoPath(start_hobbs_photo_id),
      startTach: photoPath(start_tach_photo_id),
      endHobbs: photoPath(end_hobbs_photo_id),
      endTach: photoPath(end_tach_photo_id),
    },
    meterChanges: {
      hobbs: toMeterChange(hobbs_old_last, hobbs_new_first, hobbs_change),
      tach: toMeterChange(tach_old_last, tach_new_first, tach_change),
    },
    corrected: Boolean(log.corrected),
  };
}

function toMeterChange(oldLast: string | null, newFirst: string | null, reason: MeterChangeReason | null) {
  return oldLast === null || newFirst === null ? null : { oldLast, newFirst, reason: reason ?? 'replaced' };
}

/** Null for a meter that was not changed in the flight. */
function changeReasonOf(meter: MeterType) {
  const oldLast = sql.ref(meter === 'hobbs' ? 'flight_logs.hobbs_old_last' : 'flight_logs.tach_old_last');
  return sql<MeterChangeReason | null>`case when ${oldLast} is not null then (
    select reason from meter_segments where meter_segments.school_id = flight_logs.school_id
      and flight_log_id = flight_logs.id and meter_type = ${meter}) end`;
}

function photoPath(id: number | null): string | null {
  return id === null ? null : paths.photo(id);
}

function flightLogListQuery(
  db: Db | Trx,
  schoolId: number | null,
  { after, before, limit, includeCancelled = false, ...filter }: FlightLogQuery,
) {
  return flightLogQuery(db, schoolId, { includeCancelled })
    .where(matchesFilter(filter, schoolId))
    .$if(after !== undefined, (query) => query.where(position, '<', cursorRow(after)))
    .$if(before !== undefined, (query) => query.where(position, '>', cursorRow(before)))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('flight_logs.created_at', before ? 'asc' : 'desc')
    .orderBy('flight_logs.id', before ? 'asc' : 'desc');
}

const position = sql<string>`(flight_logs.created_at, flight_logs.id)`;

function cursorRow(cursor: Cursor | undefined) {
  return sql<string>`(${cursor?.createdAt}::timestamptz, ${cursor?.id}::integer)`;
}

function fuelRecordsJson(eb: ExpressionBuilder<Database, 'flight_logs'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('fuel_records')
      .select(['refueled', 'oil_added as oilAdded', 'notes', 'receipt_photo_id as receiptPhotoId'])
      .select(sql<number | null>`oil_quantity`.as('oilQuantity'))
      .whereRef('fuel_records.school_id', '=', 'flight_logs.school_id')
      .whereRef('fuel_records.flight_log_id', '=', 'flight_logs.id')
      .orderBy('fuel_records.id'),
  ).as('fuel_records');
}

import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database, MeterChangeReason, MeterType, Row } from '#db/tables.ts';
import { RECENT_NOTES_FLIGHTS } from '#app/limits.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { type FlightFilter, matchesFilter } from './logbook/flight-filter.server.ts';
import { isOnPage, PAGE_QUERY_ROWS, type PageCursors } from '../list-pages.server.ts';
import { FLIGHT_LOG_COLUMNS, type FlightLog, type OpenFlight } from './schema.server.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** For some flights of many: `exists` would have Postgres read all corrections, since it plans before it knows the limit. */
export const isCorrected = sql<boolean>`(
  select true from flight_log_revisions as revision
  where revision.school_id = flight_logs.school_id and revision.flight_log_id = flight_logs.id limit 1) is not null`;

export interface FlightListOptions extends FlightFilter, PageCursors {
  limit?: number | undefined;
  includeCancelled?: boolean;
}

/** Finds the school's flights, newest start first, without cancelled check-outs unless they are included. */
export async function findFlightLogs(db: Db | Trx, schoolId: number | null, filter: FlightListOptions = {}) {
  const { limit } = filter;
  const rows = await withAllColumns(inList(schoolFlights(db, schoolId, filter), schoolId, filter))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return (filter.before ? rows.toReversed() : rows).map(toFlightLog);
}

/** The fields that a row of Flight Logs shows. */
export type FlightListRow = Pick<FlightLog, 'id' | 'createdAt' | 'completedAt' | 'instructor'> & {
  aircraft: Pick<FlightLog['aircraft'], 'id' | 'tailNumber'>;
  user: Pick<FlightLog['user'], 'id' | 'username'>;
};

/** Finds a page of the same flights and one more, with what a row of the list shows, a quarter of a flight's columns. */
export async function findFlightListRows(
  db: Db | Trx,
  schoolId: number | null,
  filter: Omit<FlightListOptions, 'limit'>,
): Promise<FlightListRow[]> {
  const rows = await inList(schoolFlights(db, schoolId, filter), schoolId, filter)
    .select(['flight_logs.id', 'flight_logs.created_at as createdAt', 'completed_at as completedAt'])
    .select(['aircraft_id', 'aircraft.tail_number'])
    .select(['user_id', 'pilot.username', 'flight_logs.instructor_id', 'instructor.username as instructor_username'])
    .limit(PAGE_QUERY_ROWS)
    .execute();
  return (filter.before ? rows.toReversed() : rows).map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number },
    user: { id: row.user_id, username: row.username },
    instructor: toInstructor(row),
  }));
}

/** Finds a flight; undefined outside the school. */
export async function findFlightLog(
  db: Db | Trx,
  schoolId: number | null,
  id: number,
  options?: { includeCancelled: boolean },
): Promise<FlightLog | undefined> {
  const found = await flightLogQuery(db, schoolId, options).where('flight_logs.id', '=', id).executeTakeFirst();
  return found && toFlightLog(found);
}

/** Finds the one flight that the pilot has not completed. */
export async function findOwnOpenFlight(trx: Trx, schoolId: number, pilotId: number): Promise<FlightLog | undefined> {
  const found = await flightLogQuery(trx, schoolId)
    .where('flight_logs.completed_at', 'is', null)
    .where('flight_logs.user_id', '=', pilotId)
    .executeTakeFirst();
  return found && toFlightLog(found);
}

/** Finds open flights, newest first: of one pilot, of one aircraft, or those for which `only` is true. */
export async function findOpenFlights(
  db: Db | Trx,
  schoolId: number | null,
  { userId, aircraftId, only }: { userId?: number | undefined; aircraftId?: number; only?: Expression<boolean> } = {},
): Promise<OpenFlight[]> {
  const logs = await flightLogQuery(db, schoolId)
    .where('flight_logs.completed_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('flight_logs.user_id', '=', userId ?? 0))
    .$if(aircraftId !== undefined, (query) => query.where('flight_logs.aircraft_id', '=', aircraftId ?? 0))
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

/** Finds the notes of the aircraft's last completed flights, newest first. */
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
    .limit(RECENT_NOTES_FLIGHTS)
    .execute();
  return rows.filter((row) => row.notes !== '');
}

/** Selects flights for screens, API and export alike. */
export function flightLogQuery(db: Db | Trx, schoolId: number | null, options?: { includeCancelled?: boolean }) {
  return withAllColumns(schoolFlights(db, schoolId, options));
}

function schoolFlights(db: Db | Trx, schoolId: number | null, { includeCancelled = false } = {}) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('aircraft', 'aircraft.id', 'flight_logs.aircraft_id')
    .innerJoin('users as pilot', 'pilot.id', 'flight_logs.user_id')
    .leftJoin('users as instructor', 'instructor.id', 'flight_logs.instructor_id')
    .where('flight_logs.school_id', '=', schoolId)
    .$if(!includeCancelled, (query) => query.where('flight_logs.voided_at', 'is', null));
}

function withAllColumns(flights: ReturnType<typeof schoolFlights>) {
  return flights
    .select(FLIGHT_LOG_COLUMNS)
    .select(['flight_logs.created_at as createdAt', 'completed_at as completedAt'])
    .select(['departed_at as departedAt', 'landed_at as landedAt'])
    .select('voided_at')
    .select(['aircraft.id as aircraft_id', 'aircraft.tail_number', 'aircraft.make', 'aircraft.model'])
    .select(['pilot.id as pilot_id', 'pilot.username as pilot_username', 'pilot.email as pilot_email'])
    .select(['instructor.id as instructor_id', 'instructor.username as instructor_username'])
    .select(['start_hobbs_photo_id', 'start_tach_photo_id', 'end_hobbs_photo_id', 'end_tach_photo_id'])
    .select(['hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first'])
    .select([declaredChange('hobbs').as('hobbs_change'), declaredChange('tachometer').as('tach_change')])
    .select(fuelRecordsJson)
    .select(isCorrected.as('corrected'));
}

type FlightLogRow = Awaited<ReturnType<ReturnType<typeof flightLogQuery>['execute']>>[number];

type StoredFields = Pick<FlightLogRow, FieldOf<(typeof FLIGHT_LOG_COLUMNS)[number]>>;
type FieldOf<Column> = Column extends `${string} as ${infer Alias}`
  ? Alias
  : Column extends `${string}.${infer Name}`
    ? Name
    : Column;

const STORED_FIELDS = FLIGHT_LOG_COLUMNS.map((column) => column.replace(/^.*( as |[.])/, '') as keyof StoredFields);

export function toFlightLog(row: FlightLogRow): FlightLog {
  const others: Omit<FlightLog, keyof StoredFields> = {
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    departedAt: (row.departedAt ?? row.createdAt).toISOString(),
    landedAt: (row.landedAt ?? row.completedAt)?.toISOString() ?? null,
    corrected: row.corrected,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number, make: row.make, model: row.model },
    user: { id: row.pilot_id, username: row.pilot_username, email: row.pilot_email },
    instructor: toInstructor(row),
    status: row.voided_at ? 'cancelled' : row.completedAt ? 'completed' : 'in_progress',
    fuelRecords: row.fuel_records.map(({ receiptPhotoId, ...record }) => ({
      ...record,
      fuelReceiptImage: photoPath(receiptPhotoId),
    })),
    meterPhotos: {
      startHobbs: photoPath(row.start_hobbs_photo_id),
      startTach: photoPath(row.start_tach_photo_id),
      endHobbs: photoPath(row.end_hobbs_photo_id),
      endTach: photoPath(row.end_tach_photo_id),
    },
    meterChanges: {
      hobbs: toMeterChange(row.hobbs_old_last, row.hobbs_new_first, row.hobbs_change),
      tach: toMeterChange(row.tach_old_last, row.tach_new_first, row.tach_change),
    },
  };
  return Object.assign(storedFields(row), others);
}

function toInstructor(row: Pick<FlightLogRow, 'instructor_id' | 'instructor_username'>): FlightLog['instructor'] {
  const { instructor_id: id, instructor_username: username } = row;
  return id === null || username === null ? null : { id, username };
}

/** Copies the fields by name: taking rows apart by rest costs ten times as much. */
function storedFields(row: FlightLogRow): StoredFields {
  const stored: Partial<Record<keyof StoredFields, unknown>> = {};
  for (const field of STORED_FIELDS) stored[field] = row[field];
  return stored as StoredFields;
}

interface Declared {
  reason: MeterChangeReason;
  remark: string;
}

function toMeterChange(oldLast: string | null, newFirst: string | null, declared: Declared | null) {
  if (oldLast === null || newFirst === null) return null;
  return { oldLast, newFirst, reason: declared?.reason ?? 'replaced', remark: declared?.remark ?? '' };
}

function declaredChange(meter: MeterType) {
  const oldLast = sql.ref(meter === 'hobbs' ? 'flight_logs.hobbs_old_last' : 'flight_logs.tach_old_last');
  return sql<Declared | null>`case when ${oldLast} is not null then (
    select json_build_object('reason', reason, 'remark', remark) from meter_segments where meter_segments.school_id = flight_logs.school_id
      and flight_log_id = flight_logs.id and meter_type = ${meter}) end`;
}

function photoPath(id: number | null): string | null {
  return id === null ? null : serverOnlyPaths.photo(id);
}

function inList(flights: ReturnType<typeof schoolFlights>, schoolId: number | null, filter: FlightListOptions) {
  const { after, before } = filter;
  return flights
    .where(matchesFilter(filter, schoolId))
    .where(isOnPage('flight_logs', { after, before }))
    .orderBy('flight_logs.created_at', before ? 'asc' : 'desc')
    .orderBy('flight_logs.id', before ? 'asc' : 'desc');
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

export type FlightRow = Row<'flight_logs'>;

/** Finds a flight, also a cancelled check-out; locks the row if `lock` is set. Throws 'notFound' outside the school. */
export async function requireFlightRow(
  db: Db | Trx,
  actor: Actor,
  id: number,
  { lock = false } = {},
): Promise<FlightRow> {
  const row = await selectFlightRow(db, actor.schoolId, id, { lock });
  if (!row) throw new AppError('notFound', texts.flightLogNotFound);
  return row;
}

export function selectFlightRow(db: Db | Trx, schoolId: number | null, id: number, { lock = false } = {}) {
  return db
    .selectFrom('flight_logs')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Throws 'conflict' for a completed or cancelled flight. */
export function assertInProgress(log: FlightRow): void {
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (log.completed_at) throw new AppError('conflict', texts.alreadyCompleted);
}

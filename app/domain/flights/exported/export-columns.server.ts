import { type RawBuilder, sql } from 'kysely';
import { MAX_OVERNIGHT_INSTRUCTION_HOURS } from '#app/limits.ts';
import type { CellKind } from '../../sheets/cell-kinds.ts';
import type { FlightLog } from '../schema.server.ts';

const ISO_WITH_OFFSET = sql`'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM'`;

/** A column of the exported files: as a spreadsheet has its values, and as the CSV file writes them. */
export interface ExportColumn {
  kind: CellKind;
  value: RawBuilder<unknown>;
  csv: RawBuilder<unknown>;
}

function column(kind: CellKind, value: RawBuilder<unknown>, csv = value): ExportColumn {
  return { kind, value, csv };
}

const text = (value: RawBuilder<unknown>) => column('text', value);
const number = (value: RawBuilder<unknown>) => column('number', value);

function typed(value: RawBuilder<unknown>, kind: CellKind = 'text'): ExportColumn {
  return column(kind, value, withoutFormula(value));
}

/** Escapes what a spreadsheet would run as a formula; nothing rather than an empty text, which COPY would quote. */
function withoutFormula(column: RawBuilder<unknown>) {
  const runs = sql`ascii(${column}) = any ('{61,43,45,64,9,13}') and ${column} !~ '^-?[0-9]+([.][0-9]+)?$'`;
  return sql`nullif(case when ${runs} then '''' || ${column} else ${column} end, '')`;
}

function time(column: RawBuilder<unknown>) {
  return sql`to_char(${column}, ${ISO_WITH_OFFSET})`;
}

/** Selects tenths of an hour from whole seconds, half up, in integers. */
function hoursBetween(start: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  return sql`(floor(date_part('epoch', ${end} - ${start}) + 0.5)::bigint + 180) / 360 * 0.1`;
}

/** The times are formatted once, since few flights have other times than those of the buttons. */
export const clockedTimesQuery = sql`lateral (select ${time(sql`flight_logs.created_at`)} as started,
  ${time(sql`completed_at`)} as completed,
  ${hoursBetween(sql`flight_logs.created_at`, sql`completed_at`)} as hours offset 0) as button`;

const blockHours = hoursBetween(
  sql`coalesce(departed_at, flight_logs.created_at)`,
  sql`coalesce(landed_at, completed_at)`,
);

/** Selects hours with one decimal, or two if the second is not zero. */
function shortHours(hours: RawBuilder<unknown>) {
  return sql`case when ${hours} = round(${hours}, 1) then round(${hours}, 1) else ${hours} end`;
}

const instructorHours = sql`case when instructor_time_in is not null and instructor_time_out is not null then (
  select case when minutes >= 0 then round(minutes / 60.0, 2)
    when minutes + 1440 <= ${sql.lit(MAX_OVERNIGHT_INSTRUCTION_HOURS * 60)} then round((minutes + 1440) / 60.0, 2) end
  from (select extract(epoch from instructor_time_out::time - instructor_time_in::time)::integer / 60 as minutes) as flown
) end`;

function yesNoOfCompleted(yes: RawBuilder<unknown>) {
  return sql`case when completed_at is not null then case when ${yes} then 'y' else 'n' end end`;
}

const corrected = sql`case when exists (
  select from flight_log_revisions as revision
  where revision.school_id = flight_logs.school_id and revision.flight_log_id = flight_logs.id
) then 'y' else 'n' end`;

/** Text such as 'Hobbs below 1234.5; tach end slip 988.6'. */
const readingFlags = sql`case when reading_flags <> '[]' then (
  select string_agg(concat(case flag ->> 'meter' when 'hobbs' then 'Hobbs ' else 'tach ' end,
    case flag ->> 'at' when 'end' then 'end ' end, flag ->> 'kind', ' ', flag ->> 'last'), '; ' order by position)
  from jsonb_array_elements(reading_flags) with ordinality as flags (flag, position)
) end`;

/** Text such as 'Hobbs rolled over 9999.9 to 0.0; tach replaced 988.6 to 0.0 (Cracked glass)'. */
const meterChanges = sql`case when coalesce(hobbs_old_last, tach_old_last) is not null then concat_ws('; ',
  ${meterChange(sql`'Hobbs '`, sql`'hobbs'`, sql`hobbs_old_last`, sql`hobbs_new_first`)},
  ${meterChange(sql`'tach '`, sql`'tachometer'`, sql`tach_old_last`, sql`tach_new_first`)}) end`;

function meterChange(...[name, meter, oldLast, newFirst]: [word: RawBuilder<unknown>, ...RawBuilder<unknown>[]]) {
  const declared = (column: RawBuilder<unknown>) => sql`(select ${column} from meter_segments as segment
    where segment.school_id = flight_logs.school_id and segment.flight_log_id = flight_logs.id
    and segment.meter_type = ${meter})`;
  return sql`${name} || coalesce(${declared(sql`reason`)}, 'replaced') || ' ' || ${oldLast} || ' to ' || ${newFirst}
    || coalesce(' (' || nullif(${declared(sql`remark`)}, '') || ')', '')`;
}

/** Columns of the exported files, by field: what the list shows, formatted by Postgres. */
const EXPORT_CELLS = {
  id: { id: column('id', sql`flight_logs.id`) },
  aircraft: { aircraft: typed(sql`tail_number`), make: typed(sql`make`), model: typed(sql`model`) },
  user: { pilot: typed(sql`pilot.username`), 'pilot email': typed(sql`pilot.email`, 'long text') },
  instructor: { instructor: typed(sql`instructor.username`) },
  status: { status: text(sql`case when completed_at is null then 'In Progress' else 'Completed' end`) },
  createdAt: { started: column('time', sql`flight_logs.created_at`, sql`button.started`) },
  completedAt: {
    completed: column('time', sql`completed_at`, sql`button.completed`),
    'duration hours': number(sql`button.hours`),
  },
  startHobbsTime: { 'start Hobbs': number(sql`start_hobbs`) },
  endHobbsTime: { 'end Hobbs': number(sql`end_hobbs`) },
  hobbsHours: { 'Hobbs hours': number(shortHours(sql`hobbs_hours`)) },
  startTachTime: { 'start tach': number(sql`start_tach`) },
  endTachTime: { 'end tach': number(sql`end_tach`) },
  tachHours: { 'tach hours': number(shortHours(sql`tach_hours`)) },
  instructorTimeIn: { 'instructor in': column('clock', sql`instructor_time_in`) },
  instructorTimeOut: {
    'instructor out': column('clock', sql`instructor_time_out`),
    'instructor hours': number(instructorHours),
  },
  groundSchoolTime: { 'ground hours': number(sql`ground_school_time`) },
  fuelRecords: {
    refueled: text(yesNoOfCompleted(sql`fuel.refueled`)),
    'oil added': text(yesNoOfCompleted(sql`fuel.oil_added`)),
    'oil quarts': number(sql`fuel.quarts`),
  },
  notes: { squawks: typed(sql`notes`, 'long text') },
  corrected: { corrected: text(corrected) },
  readingFlags: { 'reading flags': column('long text', readingFlags) },
  meterChanges: { 'meter changes': column('long text', meterChanges) },
  meterPhotos: {},
  unsafeSquawks: {},
  overdueInspections: {},
  deferralsOver: {},
  departedAt: {
    departed: column(
      'time',
      sql`coalesce(departed_at, flight_logs.created_at)`,
      sql`coalesce(${time(sql`departed_at`)}, button.started)`,
    ),
  },
  landedAt: {
    landed: column(
      'time',
      sql`coalesce(landed_at, completed_at)`,
      sql`coalesce(${time(sql`landed_at`)}, button.completed)`,
    ),
    'block hours': number(
      sql`case when coalesce(departed_at, landed_at) is null then button.hours else ${blockHours} end`,
    ),
  },
} satisfies Record<keyof FlightLog, Record<string, ExportColumn>>;

const FUEL_NOTES = { 'fuel notes': typed(sql`fuel_notes`, 'long text') };

/** Returns the specified columns, then those that tell apart users of one username and aircraft of one tail number. */
export function exportColumns(tailNumbersWithYears: ReadonlyMap<number, string>): [string, ExportColumn][] {
  return [...Object.values(EXPORT_CELLS), FUEL_NOTES, identityCells(tailNumbersWithYears)].flatMap((cells) =>
    Object.entries<ExportColumn>(cells),
  );
}

function identityCells(tailNumbersWithYears: ReadonlyMap<number, string>): Record<string, ExportColumn> {
  const years = JSON.stringify(Object.fromEntries(tailNumbersWithYears));
  const withYears = sql`coalesce(${years}::jsonb ->> aircraft.id::text, tail_number)`;
  return {
    'pilot id': column('id', sql`pilot.id`),
    'instructor id': column('id', sql`instructor.id`),
    'aircraft id': column('id', sql`aircraft.id`),
    'tail number with years': typed(tailNumbersWithYears.size > 0 ? withYears : sql`tail_number`),
  };
}

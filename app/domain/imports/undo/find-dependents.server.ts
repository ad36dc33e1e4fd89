import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { hasFlight } from '../../flights/flight-order.server.ts';
import type { ImportKind } from '../records.ts';

interface BuiltOn {
  name: string;
  what: string;
}

/** Finds what came after an import and needs its records: undoing it would take that, too. */
export async function findDependentsText(
  trx: Trx,
  schoolId: number,
  id: number,
  kind: ImportKind,
): Promise<string | undefined> {
  const mine = sql`select * from import_rows where school_id = ${schoolId} and import_id = ${id}`;
  const { rows: later } = await sql<{ file: string }>`
    select file_name as file from (${mine}) as mine
      join import_rows as later on later.school_id = mine.school_id and later.id > mine.id and later.import_id <> mine.import_id
        and (later.aircraft_id = mine.aircraft_id or later.inspection_id = mine.inspection_id)
      join imports on imports.school_id = later.school_id and imports.id = later.import_id
    where num_nonnulls(mine.aircraft_id, mine.inspection_id) = 1 and state = 'applied' limit 1`.execute(trx);
  if (later[0]) return `${later[0].file} was imported since and changed the same records. Undo that import first.`;
  const { rows } =
    await sql<BuiltOn>`select name, what from (${QUERIES[kind](mine, schoolId)}) as built limit 1`.execute(trx);
  return rows[0] && `${rows[0].name} ${rows[0].what} since, so that the import cannot be undone.`;
}

type Query = (mine: RawBuilder<unknown>, schoolId: number) => RawBuilder<unknown>;

const QUERIES: Record<ImportKind, Query> = {
  fleet: (mine) => sql`
    select tail_number as name, what from (${mine}) as mine
      join aircraft on aircraft.school_id = mine.school_id and aircraft.id = mine.aircraft_id
      cross join lateral (
        select 'has got flights' as what where ${flownIn('aircraft_id', 'aircraft.id')}
        union all select 'has got squawks' where exists (select from squawks as other where ${ofAircraft})
        union all select 'has got inspections' where exists (select from inspections as other where ${ofAircraft})
        union all select 'was scanned' where exists (select from scans as other where ${ofAircraft})
        union all select 'has got a last reading' where last_hobbs_at is not null or last_tach_at is not null
        union all select 'was deleted' where deleted_at is not null
      ) as built
    where before is null`,
  people: (mine, schoolId) => sql`
    select username as name, what from (${mine}) as mine
      join users on users.school_id = mine.school_id and users.id = mine.user_id
      cross join lateral (
        select 'has got flights' as what where ${flownIn('user_id', 'users.id')} or ${flownIn('instructor_id', 'users.id')}
          or users.id in (select distinct completed_by from flight_logs where school_id = ${schoolId} and completed_by is not null)
        union all select 'has chosen a password' where password_generation > 0
        union all select 'has signed in' where exists (select from sessions where sessions.user_id = users.id)
        union all select 'has reported squawks' where exists (select from squawks as other
          where other.school_id = users.school_id and other.user_id = users.id)
        union all select 'has accepted an invitation' where exists (select from invitations as other
          where other.school_id = users.school_id and users.id in (invited_by, link_made_by, accepted_by))
        union all select 'was deleted' where deleted_at is not null and mine.after is null
      ) as built`,
  flights: (mine) => sql`
    select tail_number || ' of ' || to_char(flight.created_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as name, what
    from (${mine}) as mine
      join flight_logs as flight on flight.school_id = mine.school_id and flight.id = mine.flight_log_id
      join aircraft on aircraft.school_id = flight.school_id and aircraft.id = flight.aircraft_id
      join schools on schools.id = flight.school_id
      cross join lateral (
        select 'was corrected' as what where exists (select from flight_log_revisions as other
          where other.school_id = flight.school_id and other.flight_log_id = flight.id)
        union all select 'has got a squawk' where exists (select from squawks as other
          where other.school_id = flight.school_id and other.flight_log_id = flight.id)
      ) as built`,
  squawks: (mine) => sql`
    select '''' || left(text, 60) || '''' as name, 'was changed' as what from (${mine}) as mine
      join squawks on squawks.school_id = mine.school_id and squawks.id = mine.squawk_id
    where exists (select from squawk_events as other where other.school_id = squawks.school_id
        and other.squawk_id = squawks.id and other.created_at <> squawks.created_at)
      or exists (select from squawk_photos as other where other.school_id = squawks.school_id and other.squawk_id = squawks.id)`,
  inspections: (mine) => sql`
    select name, what from (${mine}) as mine
      join inspections on inspections.school_id = mine.school_id and inspections.id = mine.inspection_id
      join imports on imports.school_id = mine.school_id and imports.id = mine.import_id
      cross join lateral (
        select 'was done' as what where exists (select from inspection_completions as other
          where other.school_id = inspections.school_id and other.inspection_id = inspections.id and before is null)
        union all select 'was changed' where removed_at is null and (changed_at > applied_at or after is not null
          and (due_hobbs, due_tach, due_on::text) is distinct from
            ((after ->> 'due_hobbs')::numeric, (after ->> 'due_tach')::numeric, after ->> 'due_on'))
      ) as built`,
};

function flownIn(column: 'aircraft_id' | 'user_id' | 'instructor_id', id: string) {
  return hasFlight({ schoolId: sql.ref('mine.school_id'), column, id: sql.ref(id) });
}

const ofAircraft = sql`other.school_id = aircraft.school_id and other.aircraft_id = aircraft.id`;

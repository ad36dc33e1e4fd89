import { type Kysely, sql } from 'kysely';

/** Writers of this product: whatever else changes a row does so by hand. */
const PRODUCT = 'flightline%';

export const OFTEN_IN_FLIGHTS = `
    'aircraft_id', one.aircraft_id, 'user_id', one.user_id, 'instructor_id', one.instructor_id,
    'start_hobbs', one.start_hobbs, 'start_tach', one.start_tach, 'end_hobbs', one.end_hobbs, 'end_tach', one.end_tach,
    'instructor_time_in', one.instructor_time_in, 'instructor_time_out', one.instructor_time_out,
    'ground_school_time', one.ground_school_time, 'completed_by', one.completed_by,
    'created_at', one.created_at at time zone 'UTC', 'completed_at', one.completed_at at time zone 'UTC'`;

export const SELDOM_IN_FLIGHTS = `
    'hobbs_old_last', one.hobbs_old_last, 'hobbs_new_first', one.hobbs_new_first,
    'tach_old_last', one.tach_old_last, 'tach_new_first', one.tach_new_first,
    'departed_at', one.departed_at at time zone 'UTC', 'landed_at', one.landed_at at time zone 'UTC',
    'voided_at', one.voided_at at time zone 'UTC', 'voided_by', one.voided_by,
    'entered_at', one.entered_at at time zone 'UTC', 'entered_by', one.entered_by`;

/** What is recorded of a row. Times are those of UTC, whatever the session's zone. */
export const RECORDED = {
  flight_logs: `${OFTEN_IN_FLIGHTS},${SELDOM_IN_FLIGHTS}`,
  users: `'role', one.role, 'deleted_at', one.deleted_at at time zone 'UTC'`,
  aircraft: `
    'tail_number', one.tail_number, 'maintenance_since', one.maintenance_since at time zone 'UTC',
    'deleted_at', one.deleted_at at time zone 'UTC'`,
  inspections: `
    'aircraft_id', one.aircraft_id, 'name', one.name, 'due_hobbs', one.due_hobbs, 'due_tach', one.due_tach,
    'due_on', one.due_on, 'interval_hours', one.interval_hours, 'interval_days', one.interval_days,
    'interval_months', one.interval_months, 'removed_at', one.removed_at at time zone 'UTC'`,
  inspection_completions: `
    'inspection_id', one.inspection_id, 'user_id', one.user_id, 'done_at', one.done_at, 'done_on', one.done_on`,
};

/**
 * Triggers put into the activity what flights, roles, aircraft and inspections say after each change, whichever version of
 * the product makes it (docs/decisions/073). The doctor holds the rows against it.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [table, values] of Object.entries(RECORDED)) {
    await sql`
      create function recorded(one ${sql.table(table)}) returns jsonb stable parallel safe language sql
        return jsonb_strip_nulls(jsonb_build_object(${sql.raw(values)}))`.execute(db);
    await noteChanges(db, { kind: table, table });
  }
  await createRecordOfSchool(db);
  await sql`
    select record_school(id) from (select id from schools union all select null) as every;
    alter table schools add column record_checked_at timestamptz,
      add column record_flights integer not null default 0, add column record_differences integer not null default 0;
    create index audit_entries_of_people on audit_entries (school_id, created_at desc, id desc)
      where action <> 'recorded rows'`.execute(db);
}

export interface Noted {
  kind: string;
  table: string;
  schoolColumn?: string;
  /** It gives what is recorded of a row, null for nothing. */
  recordFunction?: string;
}

/** One event, of the kind as subject, for up to a thousand rows of a statement; none of a row whose recorded values are as before. */
export async function noteChanges(
  db: Kysely<any>,
  { kind, table, schoolColumn = 'school_id', recordFunction = 'recorded' }: Noted,
) {
  const type = sql.table(table);
  const recordOf = (row: string) => sql`${sql.id(recordFunction)}(row(${sql.table(row)}.*)::${type})`;
  const changes = {
    insert: sql`
      select school_id, id, record from (
        select ${sql.ref(schoolColumn)} as school_id, id, ${recordOf('changed')} as record from changed offset 0
      ) as each where record is not null`,
    update: sql`
      select school_id, id, record from (
        select changed.${sql.ref(schoolColumn)} as school_id, changed.id, ${recordOf('changed')} as record,
          ${recordOf('former')} as record_before
        from changed join former using (id) offset 0
      ) as each where record is distinct from record_before`,
    delete: sql`
      select ${sql.ref(schoolColumn)} as school_id, id, null::jsonb as record from former where ${recordOf('former')} is not null`,
  };
  const seen = {
    insert: sql`new table as changed`,
    update: sql`old table as former new table as changed`,
    delete: sql`old table as former`,
  };
  for (const event of ['insert', 'update', 'delete'] as const) {
    const name = sql.id(`record_${event}_of_${kind}`);
    const trigger = kind === table ? `record_${event}` : `record_${event}_of_${kind}`;
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      declare
        program text := current_setting('application_name');
        by_hand text := case when program not ilike ${sql.lit(PRODUCT)} then format('by %s, as %s', program, session_user) end;
      begin
        if current_setting('flightline.unrecorded', true) = 'on' then return null; end if;
        insert into audit_entries (school_id, action, reason, subject, subject_id, after)
          select school_id, case when by_hand is null then 'recorded rows' else 'changed by hand' end, by_hand, ${sql.lit(kind)},
            ${ONE_OR_MANY}
          from (
            select *, (row_number() over (partition by school_id order by id) - 1) / 1000 as batch
            from (${changes[event]}) as rows
            where school_id is null
              or school_id not in (select removed_schools.school_id from removed_schools where ended_at is null)
          ) as batches group by school_id, batch order by batch;
        return null;
      end $$;
      create trigger ${sql.id(trigger)} after ${sql.raw(event)} on ${type} referencing ${seen[event]}
        for each statement execute function ${name}()`.execute(db);
  }
}

/** A row's id and what it says, which is null for one that is gone; of several none, and what each says by its id. */
export const ONE_OR_MANY = sql`
  case when count(*) = 1 then min(id) end,
  case when count(*) = 1 then (array_agg(record))[1] else jsonb_object_agg(id, record) end`;

/** Puts all rows of a school into its activity as they stand. */
async function createRecordOfSchool(db: Kysely<any>): Promise<void> {
  const every = Object.keys(RECORDED).map((name) => {
    const table = sql.table(name);
    return sql`select ${sql.lit(name)} as kind, id, recorded(${table}) as record from ${table} where school_id is not distinct from school`;
  });
  await sql`
    create function record_school(school integer) returns void language sql as $$
      insert into audit_entries (school_id, action, subject, subject_id, after)
      select school, 'recorded rows', kind, ${ONE_OR_MANY}
      from (
        select *, (row_number() over (partition by kind order by id) - 1) / 1000 as batch
        from (${sql.join(every, sql` union all `)}) as rows
      ) as batches group by kind, batch order by kind, batch $$`.execute(db);
}

import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import EXPECTED from './schema-parts.json' with { type: 'json' };

/** A constraint, index or trigger that protects the rows, with its lasting name and the statement that makes it. */
export interface SchemaPart {
  name: string;
  create: string;
}

/** Returns the parts of this version's schema that the database lacks. */
export async function findMissingParts(db: Db): Promise<SchemaPart[]> {
  const present = new Set((await findSchemaParts(db)).map(({ name }) => name));
  const expected = Object.entries(EXPECTED).map(([name, create]) => ({ name, create }));
  return expected.filter(({ name }) => !present.has(name));
}

/** Returns constraints, unique indexes and triggers, without NOT NULL, a constraint since Postgres 18. */
export async function findSchemaParts(db: Db): Promise<SchemaPart[]> {
  const { rows } = await sql<SchemaPart>`
    with tables as (
      select oid, quote_ident(relname) as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'
    ), parts as (
      select format('constraint %I of %s', conname, tables.name) as name,
        format('alter table %s add constraint %I %s', tables.name, conname, pg_get_constraintdef(pg_constraint.oid)) as create
        from pg_constraint join tables on tables.oid = conrelid where contype in ('c', 'f', 'p', 'u', 'x')
      union all
      select format('index %I of %s', pg_class.relname, tables.name), pg_get_indexdef(indexrelid)
        from pg_index join tables on tables.oid = indrelid join pg_class on pg_class.oid = indexrelid
        where indisunique and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
      union all
      select format('trigger %I of %s', tgname, tables.name), pg_get_triggerdef(pg_trigger.oid)
        from pg_trigger join tables on tables.oid = tgrelid where not tgisinternal
    )
    select name, replace("create", quote_ident(current_schema()) || '.', '') as create from parts order by name collate "C"`.execute(
    db,
  );
  return rows;
}

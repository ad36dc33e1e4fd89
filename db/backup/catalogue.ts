import pg, { type ClientBase } from 'pg';

export interface TableColumns {
  table: string;
  /** The columns in their order, without the generated ones, which Postgres computes itself. */
  columns: string[];
}

/** Returns every table with rows of its own, but for the record of migrations and those of extensions. */
export async function findTables(client: ClientBase): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(`
    select relname as table, array(
      select attname::text from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname !~ '^kysely_migration'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`);
  return rows;
}

/** Returns each sequence with its last value; those that were never used are left out. */
export async function findSequenceValues(client: ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

export async function findForeignKeys(client: ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace order by 1, 2`);
  return rows;
}

/** Returns true if the database has anything of the product's. */
export async function hasTables(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    limit 1`);
  return rowCount !== 0;
}

export async function hasRows(client: ClientBase): Promise<boolean> {
  for (const { table } of await findTables(client)) {
    const { rowCount } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`);
    if (rowCount !== 0) return true;
  }
  return false;
}

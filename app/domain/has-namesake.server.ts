import { sql } from 'kysely';

const OPERATORS = { earlier: sql`<`, other: sql`<>` };

/** Tells whether a row of the school added earlier, or any other one, has or had the name. */
export function hasNamesake(table: 'users' | 'aircraft', name: string, which: keyof typeof OPERATORS) {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  return sql<boolean>`exists (
    select from ${sql.table(table)} as namesake
    where namesake.school_id = ${own('school_id')}
    and ${sql.ref(`namesake.${name}`)} = ${own(name)}
    and namesake.id ${OPERATORS[which]} ${own('id')}
  )`;
}

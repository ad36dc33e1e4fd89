import { sql } from 'kysely';

/** Selects a column with a reading as text, which JSON keeps as it is: a number would lose its '.0'. */
export function readingText<Reading extends string | null = string>(column: string) {
  return sql<Reading>`${sql.ref(column)}::text`;
}

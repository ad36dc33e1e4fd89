import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.server.ts';

class Slot {
  constructor(readonly name: string) {}
}

/** Returns the place of a text in the statement, which is filled at each use. */
export type SlotOf<Name extends string> = (name: Name) => RawBuilder<string>;

/** Finds the first row of a statement that is built and compiled once: Kysely takes longer for that than the driver to send it. */
export function compiledOnce<Name extends string, Row>(
  build: (db: Db, slot: SlotOf<Name>) => Compilable<Row>,
): (db: Db, values: Readonly<Record<Name, string>>) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, (name) => sql`${new Slot(name)}`).compile();
    const texts = new Map<string, unknown>(Object.entries(values));
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? texts.get(value.name) : value));
    const filled: CompiledQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery(filled)).rows[0];
  };
}

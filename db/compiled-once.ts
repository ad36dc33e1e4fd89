import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from './connect.server.ts';

class Slot {
  constructor(readonly name: string) {}
}

/** Returns the place of a value in the statement, which is filled at each use. */
export type CreateSlot<Name extends string> = <Value = string>(name: Name) => RawBuilder<Value>;

type Values<Name extends string> = Readonly<Record<Name, string | number | null>>;

/** Finds the rows of a statement that is built and compiled once: Kysely takes longer for that than the driver to send it. */
export function compiledOnce<Name extends string, Row>(
  build: (db: Db | Trx, slot: CreateSlot<Name>) => Compilable<Row>,
): (db: Db | Trx, values: Values<Name>) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, (name) => sql`${new Slot(name)}`).compile();
    const byName = new Map<string, unknown>(Object.entries(values));
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? byName.get(value.name) : value));
    const filled: CompiledQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery(filled)).rows;
  };
}

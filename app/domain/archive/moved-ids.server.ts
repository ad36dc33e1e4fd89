import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { takeIds } from '../imports/write/write-records.server.ts';
import { ARCHIVED_TABLE_NAMES, type ArchivedTableName } from './archived-tables.ts';
import { readArchivedRows, withOtherIds } from './archived-rows.server.ts';
import type { OpenArchive } from './open-archive.server.ts';

/** Each id of an archive with the one that it has here; ids are given one by one, so that no file can use them up. */
export class MovedIds {
  readonly #ranges = new Map<ArchivedTableName, { archived: Int32Array; here: Int32Array }>();
  readonly #known = new Map<ArchivedTableName, { archived: number; here: number }>();

  private constructor(private readonly unused: ReadonlySet<ArchivedTableName>) {}

  /** Takes an id for each row of the archive, and for each that it refers to; tables that gave none may keep theirs. */
  static async take(
    trx: Trx,
    ids: ArchivedIds,
    { mayKeep, known }: { mayKeep: boolean; known: ReadonlyMap<ArchivedTableName, { archived: number; here: number }> },
  ): Promise<MovedIds> {
    const moved = new MovedIds(mayKeep ? await findUnusedTables(trx) : new Set());
    for (const [table, one] of known) moved.#known.set(table, one);
    for (const [table, archived] of ids) {
      if (table === 'schools' && known.has(table)) continue;
      moved.#ranges.set(table, {
        archived,
        here: moved.unused.has(table) ? archived : Int32Array.from(await takeIds(trx, table, archived.length)),
      });
    }
    return moved;
  }

  get areKept(): boolean {
    return this.#known.size === 0 && [...this.#ranges.keys()].every((table) => this.unused.has(table));
  }

  keeps(table: ArchivedTableName): boolean {
    return this.#ranges.has(table) && this.unused.has(table);
  }

  here(table: ArchivedTableName, id: number): number {
    const known = this.#known.get(table);
    if (known?.archived === id) return known.here;
    const { archived, here } = this.#rangeOf(table);
    return found(here, placeOf(archived, id));
  }

  before(table: ArchivedTableName, id: number): number {
    const known = this.#known.get(table);
    if (known?.here === id) return known.archived;
    const { archived, here } = this.#rangeOf(table);
    return found(archived, placeOf(here, id));
  }

  all(table: ArchivedTableName): Int32Array {
    return this.#ranges.get(table)?.here ?? new Int32Array();
  }

  #rangeOf(table: ArchivedTableName) {
    const range = this.#ranges.get(table);
    if (range === undefined) throw new AppError('invalid', `The export has no such row of ${table}.`);
    return range;
  }
}

export type ArchivedIds = ReadonlyMap<ArchivedTableName, Int32Array>;

/**
 * Finds the ids of an archive's rows, and of those that they refer to, in order. Throws 'invalid' for two rows of one id,
 * and for more than the rows can name; a ZodError for what is no id.
 */
export async function findArchivedIds(archive: OpenArchive): Promise<ArchivedIds> {
  const { tables } = archive.manifest;
  // Rows that are gone are named by events, and by flights of what was overdue when they began.
  const ofOthers = tables.audit_entries.rows + tables.flight_logs.rows;
  const ids = new Map<ArchivedTableName, Set<number>>();
  const note = (table: ArchivedTableName, id: number) => {
    const known = ids.get(table);
    if (known && known.size > tables[table].rows + ofOthers)
      throw new AppError('invalid', `The export names more rows of ${table} than it can have.`);
    if (known) known.add(id);
    else ids.set(table, new Set([id]));
    return id;
  };
  for (const table of ARCHIVED_TABLE_NAMES) {
    const own = new Set<unknown>();
    for await (const { values } of readArchivedRows(archive, table)) {
      withOtherIds(table, values, note);
      if (values.id === undefined) continue;
      if (own.has(values.id))
        throw new AppError('invalid', `The export has two rows of ${table} with the id ${values.id}.`);
      own.add(values.id);
    }
  }
  return new Map([...ids].map(([table, found]) => [table, Int32Array.from(found).sort()]));
}

/** Tables without a row, where no school ever was: ids that a killed or refused move took were seen by nobody. */
async function findUnusedTables(trx: Trx): Promise<Set<ArchivedTableName>> {
  const isEmpty = (table: string) => sql<boolean>`not exists (select from ${sql.table(table)})`;
  const columns = ARCHIVED_TABLE_NAMES.map((table) => sql`${isEmpty(table)} as ${sql.id(table)}`);
  const { rows } = await sql<Record<string, boolean>>`
    select ${sql.join(columns)} where ${isEmpty('schools')} and ${isEmpty('removed_schools')}`.execute(trx);
  return new Set(ARCHIVED_TABLE_NAMES.filter((table) => rows[0]?.[table]));
}

function placeOf(numbers: Int32Array, wanted: number): number {
  let [from, to] = [0, numbers.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return numbers[from] === wanted ? from : -1;
}

function found(numbers: Int32Array, place: number): number {
  const id = numbers[place];
  if (id === undefined) throw new Error('an id of an archive was not read with the others');
  return id;
}

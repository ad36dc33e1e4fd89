import { createHash } from 'node:crypto';
import pg from 'pg';

/** Limit for one pool; each statement costs every connection of Postgres some ten kilobytes. */
const MAX_PREPARED = 200;
const MAX_COUNTED = 1000;
const USES_BEFORE = 1;

const REFUSED = ['26000', '42P05'];
const UNSUPPORTED = '0A000';

/** Names for the statements of one pool, so that each connection has Postgres parse and plan them once. */
export class PreparedStatements {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();
  readonly #onOff: (error: Error) => void;
  #isOff = false;
  #generation = 0;

  constructor(onOff: (error: Error) => void) {
    this.#onOff = onOff;
  }

  /** Returns a statement's name; undefined if it is sent whole, as it is the first time and without parameters. */
  nameOf(sql: string, parameters: ReadonlyArray<unknown>): string | undefined {
    if (this.#isOff || parameters.length === 0) return undefined;
    return this.#names.get(sql) ?? this.#count(sql);
  }

  /** Learns from an error of a named statement; returns true if Postgres refused the name, before it did anything. */
  isRefused(error: unknown, name: string): boolean {
    if (!isPreparationRefused(error)) return false;
    if (error.code === UNSUPPORTED) this.#rename(name);
    else this.#turnOff(error);
    return true;
  }

  #count(sql: string): string | undefined {
    const uses = (this.#uses.get(sql) ?? 0) + 1;
    if (uses <= USES_BEFORE || this.#names.size >= MAX_PREPARED) {
      if (this.#uses.size >= MAX_COUNTED) this.#uses.clear();
      this.#uses.set(sql, uses);
      return undefined;
    }
    this.#uses.delete(sql);
    const name = this.#toName(sql);
    this.#names.set(sql, name);
    return name;
  }

  /** Makes the name of the text, so that it never runs another statement, whoever shares the connection. */
  #toName(sql: string): string {
    return `g${this.#generation}_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  }

  /** Gives a statement a new name after a migration changed its columns, and perhaps those of others. */
  #rename(name: string): void {
    if (!name.startsWith(`g${this.#generation}_`)) return;
    this.#generation += 1;
    for (const sql of this.#names.keys()) this.#names.set(sql, this.#toName(sql));
  }

  #turnOff(error: Error): void {
    if (!this.#isOff) this.#onOff(error);
    this.#isOff = true;
  }
}

/** Returns true if a connection does not have the statement under its name, or no longer as it was planned. */
export function isPreparationRefused(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  if (error.code === UNSUPPORTED) return error.message.startsWith('cached plan must not change');
  return REFUSED.includes(error.code ?? '');
}

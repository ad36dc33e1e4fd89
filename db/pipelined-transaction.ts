import { CompiledQuery, type DatabaseConnection, DummyDriver, type PostgresDialect, Transaction } from 'kysely';
import { type Db, pipelinedDialectOf, type Trx } from './connect.server.ts';
import type { Database } from './tables.ts';

/** Begins a transaction of Kysely's, or one that sends at once the statements that are asked for at once. */
export function beginTransaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const dialect = pipelinedDialectOf(db);
  return dialect ? runPipelined(db, dialect, work) : db.transaction().execute(work);
}

function runPipelined<Result>(db: Db, dialect: PostgresDialect, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.getExecutor().provideConnection(async (connection) => {
    const open = new OpenConnection(connection);
    const executor = db.getExecutor().withConnectionProvider(open);
    const trx = new Transaction<Database>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
    await connection.executeQuery(CompiledQuery.raw('begin'));
    try {
      const result = await work(trx);
      open.close();
      await connection.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      open.close();
      await connection.executeQuery(CompiledQuery.raw('rollback'));
      throw error;
    }
  });
}

/** Hands out the connection as long as the transaction lasts. */
class OpenConnection {
  #isOpen = true;

  constructor(private readonly connection: DatabaseConnection) {}

  provideConnection<Result>(consumer: (connection: DatabaseConnection) => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) throw new Error('the transaction has ended');
    return consumer(this.connection);
  }

  close(): void {
    this.#isOpen = false;
  }
}

import { COMMAND_APPLICATION_NAME, connect, type Db } from '#db/connect.server.ts';

/** Records what became of a backup. The file stands without it, so a database that does not take it is told and no error. */
export async function record(findUrl: () => Promise<string>, write: (db: Db) => Promise<void>): Promise<void> {
  try {
    const db = connect(await findUrl(), { max: 1, applicationName: COMMAND_APPLICATION_NAME });
    await write(db).finally(() => db.destroy());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.log(`Not recorded in the database, so its pages, doctor and metrics do not know of it: ${why}`);
  }
}

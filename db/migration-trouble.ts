import { databaseTrouble, isConnectionLost, isDiskFull } from './database-trouble.ts';
import { StartupError } from './startup-error.ts';

const AS_IT_WAS = 'the schema could not be brought up to date, and is as it was.';

/** Throws a full disk or a lost connection in words, and any other error of the migrations as it is. */
export function throwMigrationTrouble(error: unknown): never {
  const sentence = describeTrouble(error);
  if (!(error instanceof Error) || sentence === undefined) throw error;
  throw new StartupError(`${sentence}\n\n${error.message}`, { cause: error });
}

function describeTrouble(error: unknown): string | undefined {
  if (isDiskFull(error))
    return `The disk of Postgres is full: ${AS_IT_WAS} Make room on that disk and run the command again.`;
  if (databaseTrouble(error) === 'unreachable' || isConnectionLost(error))
    return `The connection to Postgres ended: ${AS_IT_WAS} What ended it is below, and may be in the log of Postgres. Run the command again once Postgres serves.`;
  return undefined;
}

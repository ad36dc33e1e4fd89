import { isDiskFull } from '../database-trouble.ts';
import { StartupError } from '../startup-error.ts';

/** Throws a full disk in words, with what helps before what Postgres says; throws any other error as it is. */
export function throwInWords(error: unknown, folder: string, help: string): never {
  if (!isDiskFull(error)) throw error;
  throw new StartupError(`The disk of ${folder} is full: ${help}\n\n${error.message}`, { cause: error });
}

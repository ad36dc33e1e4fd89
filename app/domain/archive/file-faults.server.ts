import { z } from 'zod';
import { AppError } from '../app-error.ts';

/** Throws what Postgres or zod refuses in a file as a fault of the file, and any other error as it is. */
export function throwFileFault(error: unknown): never {
  if (error instanceof z.ZodError) throw faultOf('cannot be read', error.issues[0]?.message ?? '');
  if (error instanceof SyntaxError) throw faultOf('cannot be read', error.message);
  const isRefused = error instanceof Error && 'code' in error && REFUSALS.test(String(error.code));
  throw isRefused ? faultOf('does not fit', error.message) : error;
}

const REFUSALS = /^(22|23|54|P0)/;

function faultOf(what: string, why: string): AppError {
  return new AppError('invalid', `The export has a row that ${what}: ${why.slice(0, MAX_REASON_CHARACTERS)}.`);
}

const MAX_REASON_CHARACTERS = 300;

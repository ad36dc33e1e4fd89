import { z } from 'zod';
import { AppError } from '../app-error.ts';

/** Turns what Postgres or zod refuses in a file into a fault of the file. */
export function toFileFault(error: unknown): unknown {
  if (error instanceof z.ZodError) return faultOf('cannot be read', error.issues[0]?.message ?? '');
  if (error instanceof SyntaxError) return faultOf('cannot be read', error.message);
  const isRefused = error instanceof Error && 'code' in error && REFUSALS.test(String(error.code));
  return isRefused ? faultOf('does not fit', error.message) : error;
}

const REFUSALS = /^(22|23|54|P0)/;

function faultOf(what: string, why: string): AppError {
  return new AppError('invalid', `The export has a row that ${what}: ${why.slice(0, MAX_REASON_CHARACTERS)}.`);
}

const MAX_REASON_CHARACTERS = 300;

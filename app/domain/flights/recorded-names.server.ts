import { startReadingInputSchemas } from '../readings/input-schemas.server.ts';
import { completeFlightSchema } from './schema.server.ts';

/** The names of all that may be recorded of a flight: whoever sends one to a call must hear if it is not taken. */
export const RECORDED_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(startReadingInputSchemas),
  ...Object.keys(completeFlightSchema.shape),
]);

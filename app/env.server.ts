import { readSettings } from './settings.server.ts';

/** The settings this process runs with; a missing or malformed one ends the boot with a sentence that names it. */
export const env = readSettings(process.env);

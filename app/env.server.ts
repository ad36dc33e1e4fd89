import { readSettings } from './settings.server.ts';

/** Throws a StartupError that names what is missing or malformed. */
export const env = readSettings(process.env);

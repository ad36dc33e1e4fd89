import { readSettings } from './settings.server.ts';

/** The settings. Reading them throws a StartupError that names what is missing or malformed. */
export const env = readSettings(process.env);

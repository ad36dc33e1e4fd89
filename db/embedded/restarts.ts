import { channel } from 'node:diagnostics_channel';

/** The channel told when the server has ended unasked; its name joins the copies of this module. */
export const databaseRestarts = channel('flightline:embedded-postgres-restarts');

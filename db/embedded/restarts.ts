import { channel } from 'node:diagnostics_channel';

/** Told when the server has ended unasked. By name, since the launcher and the build load copies of this module. */
export const serverRestarts = channel('flightline:embedded-postgres-restarts');

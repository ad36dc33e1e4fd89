import { channel } from 'node:diagnostics_channel';

/**
 * The channel that is told when the server has ended unasked. Its name joins the copies of this module that the
 * launcher and the build load.
 */
export const serverRestarts = channel('flightline:embedded-postgres-restarts');

import { channel } from 'node:diagnostics_channel';

/** The channel that is told the name of each operation that was committed, and not answered from memory. */
export const committedOperations = channel('flightline:committed-operations');

import { channel } from 'node:diagnostics_channel';

/** The channel that is told 'delivered' or 'failed' after each attempt. */
export const deliveredEvents = channel('flightline:delivered-events');

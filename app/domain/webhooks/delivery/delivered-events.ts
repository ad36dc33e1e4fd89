import { channel } from 'node:diagnostics_channel';

/** Told 'delivered' or 'failed' after each attempt. */
export const deliveredEvents = channel('flightline:delivered-events');

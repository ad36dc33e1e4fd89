import { channel } from 'node:diagnostics_channel';

/** The channel told of promises that failed unheard. Its name joins the copies of this module in launcher and build. */
export const droppedPromisesChannel = channel('flightline:dropped-promises');

import { channel } from 'node:diagnostics_channel';

/**
 * Told of the error of each promise that failed with nobody waiting for it. By name, since the launcher, which hears of
 * it, and the build load copies of this module.
 */
export const droppedPromises = channel('flightline:dropped-promises');

import { channel } from 'node:diagnostics_channel';

/** The channel that is told of photos that get no answer, or one of Tesseract only. */
export const readerFailuresChannel = channel('flightline:photo-reader-failures');

import { channel } from 'node:diagnostics_channel';

/** Told of photos that get no answer, or one of Tesseract only. */
export const readerFailures = channel('flightline:photo-reader-failures');

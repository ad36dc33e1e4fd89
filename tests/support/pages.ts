/** With what a test reads a page. */
export * from './documents.ts';
export * from './shown.ts';
export * from './takes-all.ts';

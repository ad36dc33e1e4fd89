import { register } from 'tsx/esm/api';

// A thread does not inherit the process's loader of TypeScript, and the built server has none.
register();
await import('./thread.ts');

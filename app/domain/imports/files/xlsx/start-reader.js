import { createRequire } from 'node:module';

if (import.meta.env?.PROD) {
  await import('./reader.ts');
} else {
  const { register } = await import('tsx/cjs/api');
  register();
  createRequire(import.meta.url)('./reader.ts');
}

import { createRequire } from 'node:module';

/** Finds the file of a thread or process: the build has it bundled, since an installation has no loader of TypeScript. */
export function resolveProgramFile(bundle: string, source: string): string {
  const name = import.meta.env?.PROD ? `#build/launcher/${bundle}.js` : `#app/domain/${source}`;
  return createRequire(import.meta.url).resolve(name);
}

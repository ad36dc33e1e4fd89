import type { Plugin } from 'vite';
import * as limits from '../../app/limits.ts';

const IMPORT = /^import \{([\s\w,]+)\} from '#app\/limits\.ts';$/m;

/** Writes limits into the browser's modules that use them. One shared module would bring those of all islands to each page. */
export function inlineLimits(): Plugin {
  const values = new Map<string, unknown>(Object.entries(limits));
  const define = (name: string) => `const ${name} = ${JSON.stringify(values.get(name))};`;
  return {
    name: 'inline-limits',
    apply: 'build',
    enforce: 'pre',
    transform(code, id, options) {
      if (options?.ssr || !/\/app\/.*\.tsx?$/.test(id)) return undefined;
      const inlined = code.replace(IMPORT, (_line, names: string) => names.match(/\w+/g)?.map(define).join(' ') ?? '');
      return { code: inlined, map: null };
    },
  };
}

import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** Loads TypeScript where there is no build, by the loader for `require`: it takes 30 MB less than that for `import`. */
export function loadTypeScriptSource(from, file) {
  register();
  createRequire(from)(file);
}

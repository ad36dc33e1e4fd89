import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The file is plain JavaScript, because the build's bundle of a command starts several times as fast as its TypeScript.
// Where the packages of the development are installed, the TypeScript runs if there is no build, or an older one.
const SOURCES = ['app', 'db', 'scripts'];
const checkout = path.resolve(import.meta.dirname, '..');
const [name = ''] = process.argv.splice(2, 1);
const bundle = path.join(checkout, 'build/launcher', `${name}.js`);

if (existsSync(bundle) && SOURCES.every((source) => isOlder(path.join(checkout, source), statSync(bundle).mtimeMs))) {
  await import(pathToFileURL(bundle).href);
} else {
  const { register } = await import('tsx/esm/api').catch(() => {
    console.error('\nThere is no build of this version: run `npm run production` first.');
    process.exit(1);
  });
  register();
  await import(`./${name}.ts`);
}

function isOlder(fileOrFolder, time) {
  const stat = statSync(fileOrFolder);
  if (!stat.isDirectory()) return stat.mtimeMs <= time;
  return readdirSync(fileOrFolder).every((entry) => isOlder(path.join(fileOrFolder, entry), time));
}

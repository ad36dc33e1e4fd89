import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The file is plain JavaScript and runs the launcher's bundle: a TypeScript loader would triple the time to start.
const launcher = path.resolve(import.meta.dirname, '../build/launcher/start.js');
if (!existsSync(launcher)) {
  console.error('\nThere is no build to serve: run `npm run build` first.');
  process.exit(1);
}
await import(pathToFileURL(launcher).href);

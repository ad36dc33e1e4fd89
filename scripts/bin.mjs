#!/usr/bin/env node
import path from 'node:path';

// `flightline` from any folder: settings and data are the installation's, and a FILE is where the command was called.
process.env.INIT_CWD = process.cwd();
process.chdir(path.resolve(import.meta.dirname, '..'));
process.argv.splice(2, 0, 'flightline');
await import('./command.mjs');

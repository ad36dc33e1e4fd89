import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'app/routes';

/** The path of every route that has a page, as '/flight-log/:id/post-check'; the catch-all is '/*'. */
export function screenRoutes(): string[] {
  return routeFiles()
    .filter((file) => /^export (?:default\b|\{.*\bdefault\b)/m.test(readFileSync(file, 'utf8')))
    .flatMap(pathsOf)
    .sort();
}

/** The path of every route, resource routes included. */
export function routePaths(): string[] {
  return routeFiles().flatMap(pathsOf);
}

/** 'api.flight-logs.$id._index.ts' answers '/api/flight-logs/:id'. */
export function pathsOf(file: string): string[] {
  const name = file.replace(/^.*\/routes\//, '').replace(/(\/route)?\.tsx?$/, '');
  const segments = name.split(/\.(?![^[]*\])/).filter((segment) => !segment.startsWith('_'));
  const address = `/${segments
    .map((segment) =>
      segment
        .replace(/[[\]]|_$/g, '')
        .replace(/^\$$/, '*')
        .replace(/^\$/, ':'),
    )
    .join('/')}`;
  // remix.config.js gives the sign-in page a second address.
  return address === '/login' ? [address, '/auth'] : [address];
}

function routeFiles(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(FOLDER, entry.name);
    return entry.isFile()
      ? [file]
      : ['ts', 'tsx'].map((type) => `${file}/route.${type}`).filter((one) => existsSync(one));
  });
}

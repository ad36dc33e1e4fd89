import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CLIENT = 'build/client';
const MANIFEST = /^window\.__remixManifest=(.*);$/s;

interface ManifestRoute {
  parentId?: string;
  /** Below its parent's. */
  path?: string;
  /** The file with its component; that of a resource route is empty. */
  module: string;
}

/** The path of every route of the build that has a page, as '/flight-log/:id/post-check'; the catch-all is '/*'. */
export function screenRoutes(): string[] {
  const routes = readManifest();
  return Object.entries(routes)
    .filter(([id, { module }]) => id !== 'root' && /\bdefault\b/.test(readFileSync(path.join(CLIENT, module), 'utf8')))
    .map(([, route]) => pathOf(routes, route))
    .sort();
}

/** The path of every route of the build, resource routes included. */
export function routePaths(): string[] {
  const routes = readManifest();
  return [...new Set(Object.values(routes).map((route) => pathOf(routes, route)))];
}

function pathOf(routes: Record<string, ManifestRoute>, { parentId, path = '' }: ManifestRoute): string {
  const parent = parentId === undefined ? undefined : routes[parentId];
  return parent ? `${pathOf(routes, parent).replace(/\/$/, '')}/${path}` : `/${path}`;
}

function readManifest(): Record<string, ManifestRoute> {
  const assets = path.join(CLIENT, 'assets');
  const [file] = readdirSync(assets).filter((name) => name.startsWith('manifest-'));
  if (!file) throw new Error(`${assets} has no manifest: run \`npm run build\` first.`);
  const [, json = ''] = MANIFEST.exec(readFileSync(path.join(assets, file), 'utf8')) ?? [];
  return JSON.parse(json).routes;
}

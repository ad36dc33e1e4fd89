import type { ServerPaths } from './paths.ts';

/** The role that created the cluster; only the launcher connects as it. */
export const SUPERUSER = 'flightline';

export function databaseUrl(paths: ServerPaths, database: string, role: string): string {
  return `postgres://${role}@localhost/${database}?host=${encodeURIComponent(paths.socketFolder)}`;
}

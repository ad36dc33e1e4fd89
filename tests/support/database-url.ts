/** The address of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The same database as the superuser who created the embedded cluster. */
export function superuserUrl(server: string): string {
  const url = new URL(server);
  url.username = 'flightline';
  return url.href;
}

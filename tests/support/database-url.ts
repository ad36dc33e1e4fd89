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

/** Settings with the address of the owner for that of the application, as an operator gives both. */
export function withOwner(settings: Record<string, string> = {}): Record<string, string> {
  const { DATABASE_URL = '' } = settings;
  if (!DATABASE_URL.includes('//flightline_app@')) return settings;
  return { DATABASE_OWNER_URL: ownerUrl(DATABASE_URL), ...settings };
}

/** The same database as the role that owns its tables. */
export function ownerUrl(server: string): string {
  const url = new URL(server);
  url.username = 'flightline_owner';
  return url.href;
}

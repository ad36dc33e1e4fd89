/** Without the query, which may be a password. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

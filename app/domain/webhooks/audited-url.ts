/** Returns the address without its query, which may be a password. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns true if a path names a file, as '/sitemap.xml' or '/.well-known/change-password', and not a page. */
export function isFileName(pathname: string): boolean {
  return pathname.startsWith('/.well-known/') || /\.[a-z][a-z0-9]{0,11}$/i.test(pathname);
}

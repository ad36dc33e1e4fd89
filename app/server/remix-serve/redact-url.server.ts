/**
 * A request's target as a log may keep it: the path without its query, and dots in the place of a token
 * (C24: `/api/invitations/{token}`, and anything else too long and random for a name).
 */
export function redactUrl(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return path.replace(/^(\/api\/invitations\/)(?!\d+$).+/, '$1...').replace(/[\w%-]{32,}/g, '...');
}

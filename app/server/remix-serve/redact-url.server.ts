/** A request's path for the log: without its query, and with dots instead of tokens. */
export function redactUrl(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return path
    .replace(/^(\/api\/invitations\/)(?!\d+$).+/, '$1...')
    .replace(/^(\/calendar\/).+/, '$1...')
    .replace(/[\w%-]{32,}/g, '...');
}

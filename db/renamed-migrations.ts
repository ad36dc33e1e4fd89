/** Names recorded by earlier releases (docs/decisions/051). */
export const RENAMED_MIGRATIONS: ReadonlyMap<string, string> = new Map([
  ['006-memory', '006-idempotency-audit-drafts'],
  ['009-reasons', '009-close-and-void-reasons'],
  ['010-what-was-read', '010-scan-crops-and-digits'],
]);

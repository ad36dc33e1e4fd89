/** Scopes from the least to the most; each permits what those before it do. */
export const TOKEN_SCOPES = ['read', 'fly', 'manage'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const SCOPE_LABELS: Record<TokenScope, string> = {
  read: 'Read',
  fly: 'Fly: read, check out, check in and report squawks',
  manage:
    'Manage: whatever your role may do, the export of your school too, but nothing else that asks for your password',
};

export function scopePermits(scope: TokenScope, needed: TokenScope): boolean {
  return TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(needed);
}

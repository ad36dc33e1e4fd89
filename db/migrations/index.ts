import type { Migration } from 'kysely';
import * as schoolsAndPeople from './001-schools-and-people.ts';
import * as fleet from './002-fleet.ts';
import * as flights from './003-flights.ts';
import * as scans from './004-scans.ts';
import * as invitationsAndMail from './005-invitations-and-mail.ts';
import * as idempotencyAuditDrafts from './006-idempotency-audit-drafts.ts';
import * as passwordLinks from './007-password-links.ts';
import * as closeAndVoidReasons from './009-close-and-void-reasons.ts';
import * as scanCropsAndDigits from './010-scan-crops-and-digits.ts';
import * as renameIdempotencyKeys from './011-rename-idempotency-keys.ts';

/** Every migration by name, in the order they run. A released one is never edited. */
export const migrations: Record<string, Migration> = {
  '001-schools-and-people': schoolsAndPeople,
  '002-fleet': fleet,
  '003-flights': flights,
  '004-scans': scans,
  '005-invitations-and-mail': invitationsAndMail,
  '006-idempotency-audit-drafts': idempotencyAuditDrafts,
  '007-password-links': passwordLinks,
  '009-close-and-void-reasons': closeAndVoidReasons,
  '010-scan-crops-and-digits': scanCropsAndDigits,
  '011-rename-idempotency-keys': renameIdempotencyKeys,
};

/** Names recorded by earlier releases (docs/decisions/051). */
export const RENAMED_MIGRATIONS: ReadonlyMap<string, string> = new Map([
  ['006-memory', '006-idempotency-audit-drafts'],
  ['009-reasons', '009-close-and-void-reasons'],
  ['010-what-was-read', '010-scan-crops-and-digits'],
]);

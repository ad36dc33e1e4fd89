/**
 * A database of version 0.1.0 has recorded these; the baseline, 001 to 013, makes the same tables (docs/decisions/086).
 */
export const FORMER_MIGRATIONS = `
  001-schools-and-people 002-fleet 003-flights 004-scans 005-invitations-and-mail 006-idempotency-audit-drafts
  007-password-links 009-close-and-void-reasons 010-scan-crops-and-digits 011-rename-idempotency-keys 012-activity
  013-session-devices 014-password-link-requests 015-second-factors 016-second-factor-setups 017-passkeys
  019-doctor-views 020-meter-segments 021-reading-flags 022-squawks 023-inspections 024-undelivered-mail
  025-doctor-views-of-meters 026-doctor-views-of-squawks 027-people 028-joined-invitations 029-doctor-views-of-people
  030-true-times 031-forgotten-check-ins 033-figures-of-scans 035-single-keys 036-instructor-hours 037-logbook-indexes
  040-doctor-view-of-passkeys 042-photos-of-readings 045-devices-of-drafts 046-access-tokens 047-imports
  048-times-of-drafts 049-removed-schools 050-changes 051-webhooks 052-doctor-views-of-webhooks 053-past-flights
  054-calendar-links 055-former-session-tokens 056-doctor-views-of-work 060-removed-flights 061-makers-of-links`
  .trim()
  .split(/\s+/);

/** Names under which versions before 0.1.0 recorded some of them. */
const FORMER_NAMES = ['006-memory', '009-reasons', '010-what-was-read'];

/** Returns true if a version up to 0.1.0 recorded this name. */
export function isFormerMigration(name: string): boolean {
  return FORMER_MIGRATIONS.includes(name) || FORMER_NAMES.includes(name);
}

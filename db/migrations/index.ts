import type { Migration } from 'kysely';
import * as schoolsAndPeople from './001-schools-and-people.ts';
import * as fleet from './002-fleet.ts';
import * as flights from './003-flights.ts';
import * as scans from './004-scans.ts';
import * as invitationsAndMail from './005-invitations-and-mail.ts';
import * as memory from './006-memory.ts';
import * as passwordLinks from './007-password-links.ts';
import * as reasons from './009-reasons.ts';
import * as whatWasRead from './010-what-was-read.ts';

/** Every migration by name; the names' order is the order they run in. A landed one is never edited. */
export const migrations: Record<string, Migration> = {
  '001-schools-and-people': schoolsAndPeople,
  '002-fleet': fleet,
  '003-flights': flights,
  '004-scans': scans,
  '005-invitations-and-mail': invitationsAndMail,
  '006-memory': memory,
  '007-password-links': passwordLinks,
  '009-reasons': reasons,
  '010-what-was-read': whatWasRead,
};

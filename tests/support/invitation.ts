import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { type Columns, insertRow } from './rows.ts';

/** A pending invitation of the administrator's school, with the token that its mail would carry. */
export async function makeInvitation(db: Db, administrator: Member, columns: Columns<'invitations'> = {}) {
  const { token, hash } = createLinkToken();
  const invitation = {
    ...{ school_id: administrator.schoolId, invited_by: administrator.id, name: 'Zoë Invited' },
    ...{ email: `${hash.slice(0, 8)}@invited.example`.toLowerCase(), role: 'instructor' as const, token_hash: hash },
    ...{ expires_at: new Date(Date.now() + 7 * 86_400_000), ...columns },
  };
  return { id: await insertRow(db, 'invitations', invitation), token, email: invitation.email };
}

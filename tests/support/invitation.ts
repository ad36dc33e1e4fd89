import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';

/** A pending invitation of the administrator's school, with the token that its mail would carry. */
export async function makeInvitation(
  db: Db,
  administrator: Member,
  columns: Partial<NewRow<'invitations'>> = {},
): Promise<{ id: number; token: string; email: string }> {
  const { token, hash } = createLinkToken();
  const { id, email } = await db
    .insertInto('invitations')
    .values({
      school_id: administrator.schoolId,
      name: 'Zoë Invited',
      email: `${hash.slice(0, 8)}@invited.example`.toLowerCase(),
      role: 'instructor',
      token_hash: hash,
      invited_by: administrator.id,
      expires_at: new Date(Date.now() + 7 * 86_400_000),
      ...columns,
    })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow();
  return { id, token, email };
}

import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import { makeInvitation } from './invitation.ts';
import { makeUser } from './school.ts';

/** Who comes without a session, each numbered: an invited person, one with a password link, one who can sign in. */
export function strangers(db: Db) {
  let last = 0;
  const next = () => (last += 1);
  return {
    token: (number: string) => `token-${number}`,
    username: (number: string) => `stranger-${number}`,
    invited: async (owner: Member) => {
      const number = next();
      await makeInvitation(db, owner, { token_hash: hashLinkToken(`token-${number}`) });
      return number;
    },
    withLink: async ({ id, schoolId }: Member) => {
      const number = next();
      const link = { school_id: schoolId, user_id: id, token_hash: hashLinkToken(`token-${number}`) };
      await db
        .insertInto('password_links')
        .values({ ...link, expires_at: new Date(Date.now() + 86_400_000) })
        .execute();
      return number;
    },
    account: async ({ schoolId }: Member) => {
      const number = next();
      await makeUser(db, schoolId, 'student', `stranger-${number}`);
      return number;
    },
  };
}

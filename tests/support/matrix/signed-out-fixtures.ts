import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import { makeInvitation } from '../invitation.ts';
import { insert } from '../rows.ts';
import { makeUser } from '../school.ts';

let last = 0;
const next = () => (last += 1);

/**
 * Makes what somebody without a session comes with, each numbered: an invitation, a password link, an account to sign
 * in to. The number leads to its token or username.
 */
export function signedOutFixtures(db: Db) {
  return {
    token: (number: string) => `token-${number}`,
    username: (number: string) => `visitor-${number}`,
    invited: async (owner: Member) => {
      const number = next();
      await makeInvitation(db, owner, { token_hash: hashLinkToken(`token-${number}`) });
      return number;
    },
    passwordLink: async ({ id, schoolId }: Member) => {
      const number = next();
      const link = { school_id: schoolId, user_id: id, token_hash: hashLinkToken(`token-${number}`) };
      await insert(db, 'password_links', { ...link, expires_at: new Date(Date.now() + 86_400_000) });
      return number;
    },
    account: async ({ schoolId }: Member) => {
      const number = next();
      await makeUser(db, schoolId, 'student', `visitor-${number}`);
      return number;
    },
  };
}

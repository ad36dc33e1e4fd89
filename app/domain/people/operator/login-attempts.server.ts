import type { Trx } from '#db/connect.server.ts';
import { throttledName } from '../login-budgets.server.ts';

/** Forgets the failed sign-ins of one user, so that the next try is not refused. */
export async function deleteLoginAttemptsOf(
  trx: Trx,
  { id, username }: { id: number; username: string },
): Promise<void> {
  const name = throttledName(username);
  await trx
    .deleteFrom('login_attempts')
    .where((eb) =>
      eb.or([
        eb('key', 'in', [`name:${name}`, `code:${id}`]),
        eb(eb.fn<boolean>('starts_with', ['key', eb.val(`code:${id} `)]), '=', true),
        eb(eb.fn<boolean>('starts_with', ['key', eb.val(`pair:${name} `)]), '=', true),
        eb.and([
          eb(eb.fn<boolean>('starts_with', ['key', eb.val('device:')]), '=', true),
          eb(eb.fn<string>('right', ['key', eb.val(name.length + 1)]), '=', ` ${name}`),
        ]),
      ]),
    )
    .execute();
}

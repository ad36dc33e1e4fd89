import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { seed } from '#tests/support/cut-sample.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { operationCases } from '#tests/support/operation-cases.ts';
import type { OperationCase } from '#tests/support/operation-case.ts';
import { outcomeOf, PausingDatabase } from '#tests/support/pausing-database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { revokeSessions } from '#tests/support/sessions.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db, url } = await testDatabase();
const pausing = new PausingDatabase(url);

const DRAFT: OperationCase = {
  name: 'drafts',
  role: 'student',
  demoted: 'allowed',
  prepare: async () => async (actor) => {
    await saveDraft(pausing.db, actor, CHECK_OUT_DRAFT_KEY, [['aircraftId', '7']]);
    return {};
  },
};
const OPERATIONS = [...operationCases(pausing.db, db), DRAFT];

const update = ({ id }: Member) => db.updateTable('users').where('id', '=', id);
const REVOCATIONS: Record<string, (actor: Member) => Promise<unknown>> = {
  'the session is ended': (actor) => revokeSessions(db, actor),
  'the user is deleted': (actor) => update(actor).set({ deleted_at: new Date(), password_hash: null }).execute(),
  'the role is lowered': (actor) => update(actor).set({ role: 'student' }).execute(),
  'the password is replaced': (actor) =>
    db.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ password_hash: 'new' }).where('id', '=', actor.id).execute();
      await revokeSessions(trx, actor);
    }),
};

/** At each statement one of the revocations, another one by SEED; EVERY=yes tries all of them. */
const isTried = (position: number, kind: string) =>
  process.env.EVERY === 'yes' || (position + seed) % 4 === Object.keys(REVOCATIONS).indexOf(kind);

let wasRefused = 0;
let wasFirst = 0;
let tested = 0;
/** A run of all of them has tried many moments of either outcome. */
afterAll(() => {
  if (tested < OPERATIONS.length * Object.keys(REVOCATIONS).length) return;
  expect(wasRefused + wasFirst).toBeGreaterThanOrEqual(200);
  expect(Math.min(wasRefused, wasFirst)).toBeGreaterThanOrEqual(100);
});
afterAll(() => Promise.all([stopEngine(), stopTesseract(), pausing.db.destroy()]));

describe.each(OPERATIONS)(
  '$name, whichever of its statements is next when',
  ({ role, demoted, readsAfter = 0, prepare }) => {
    let statements: Promise<number> | undefined;
    beforeAll(() => emptyTables(db));

    it.each(Object.entries(REVOCATIONS))('%s, stores nothing or was first (B413)', async (kind, revoke) => {
      const goesOn = kind === 'the role is lowered' && demoted === 'allowed';
      const last = await (statements ??= run(async () => {}));
      for (let position = 1; position <= last - readsAfter; position += 1) {
        if (!isTried(position, kind)) continue;
        let revoking: Promise<unknown> | undefined;
        let stored: Record<string, string[]> | undefined;
        const refusal = await run(async (at, actor) => {
          if (at !== position) return;
          revoking = revoke(actor);
          if ((await outcomeOf(db, revoking)) === 'committed') stored = await storedRows(db);
        }).then(() => undefined, codeOf);
        await revoking;
        const where = `before statement ${position} of ${last}, SEED=${seed}`;
        if (!stored || goesOn) {
          expect(refusal, where).toBeUndefined();
          wasFirst += 1;
        } else {
          expect(refusal, where).toMatch(/^(unauthorized|forbidden)$/);
          expect(await storedRows(db), where).toEqual(stored);
          wasRefused += 1;
        }
      }
      tested += 1;
    });

    async function run(pause: (position: number, actor: Member) => Promise<void>): Promise<number> {
      const actor = await signedIn(role);
      const operation = await prepare(actor);
      return pausing.count(
        () => operation(actor, 'key'),
        (position) => pause(position, actor),
      );
    }
  },
);

async function signedIn(role: Role): Promise<Member> {
  const user = await makeUser(db, await makeSchool(db), role);
  const sessionId = randomUUID();
  const [expires_at, ends_at] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
  await db.insertInto('sessions').values({ id: sessionId, user_id: user.id, expires_at, ends_at }).execute();
  return { ...user, sessionId };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : String(error);
}

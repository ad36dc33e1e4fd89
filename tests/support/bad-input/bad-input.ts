import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { allowedRoles, type MatrixRow } from '../matrix/cells.ts';
import { seed } from '../drawn.ts';
import { cookieOf } from '../requests.ts';
import { answerTo } from '../routes.ts';
import { makeSchool, makeUser } from '../school.ts';
import { watchChanges } from '../stored-changes.ts';
import { mutateRequest } from './mutate-request.ts';
import { type RequestMutation, requestMutations } from './request-mutations.ts';

// Other mistakes by seed; `SEED=7 RUNS=500 npx vitest run tests/api/bad-input.test.ts` looks longer.
const numRuns = Number(process.env.RUNS ?? (process.env.EVERY === 'yes' ? 10 : 2));

/**
 * One test for each row: its valid request, sent by an allowed caller, with one thing wrong, never
 * fails the server; refused, it says why and has stored nothing.
 */
export async function itSurvivesBadInput(db: Db, rows: MatrixRow[]): Promise<void> {
  const changes = await watchChanges(db);
  it.each(rows)(
    `$name with one thing wrong is answered in time and, if refused, stores nothing (seed ${seed}) (B239)`,
    async (row) => {
      const sender = async (role: Role) => makeUser(db, await makeSchool(db), role);
      const valid = await send(row, await sender(allowedRoles(row)[0] ?? 'administrator'));
      expect(valid.answer.status, 'the valid request').toBe(row.success);
      await fc.assert(
        fc.asyncProperty(requestMutations, fc.constantFrom(...allowedRoles(row)), async (mutation, role) => {
          const { answer, changed } = await send(row, await sender(role), mutation);
          expect(answer.status).toBeLessThan(500);
          expect(JSON.stringify(answer.body)).not.toMatch(/\\n\s+at |node_modules|\.server\.ts|SELECT |select "/);
          if (answer.status < 400) return;
          expect(messageIn(answer.body)).toMatch(/\w/);
          expect(changed).toEqual([]);
        }),
        { seed, numRuns },
      );
    },
    120_000,
  );

  async function send({ id, valid }: MatrixRow, sender: Member, mutation?: RequestMutation) {
    const request = valid(id ? String(await id.own(sender)) : '')(await cookieOf(db, sender));
    const sent = mutation ? await mutateRequest(request, mutation) : request;
    await changes();
    const answer = await answerTo(sent);
    return { answer, changed: await changes() };
  }
}

const refusedForm = z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string()).nullable()) }) });
const unknownFlight = z.object({ isUnknownFlight: z.literal(true) });

/** What a visitor reads in an answer of 4xx: its text, the errors of a form, or of the page that names no flight. */
function messageIn(body: unknown): string {
  if (typeof body === 'string') return body;
  const form = refusedForm.safeParse(body).data;
  if (form) return Object.values(form.result.error).flat().join(' ');
  return unknownFlight.safeParse(body).success ? 'Flight log not found' : '';
}

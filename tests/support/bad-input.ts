import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import type { Answer } from './answers.ts';
import { broken } from './break-request.ts';
import { type Break, breaks } from './breaks.ts';
import type { Line } from './matrix.ts';
import { fingerprint } from './matrix-world.ts';
import { cookieOf } from './requests.ts';
import { answerTo } from './routes.ts';
import { makeSchool, makeUser } from './school.ts';

// `SEED=7 RUNS=500 npx vitest run tests/api/bad-input.test.ts` looks elsewhere, and longer.
const seed = Number(process.env.SEED ?? 20_260_512);
const numRuns = Number(process.env.RUNS ?? 10);

interface Options {
  /** Milliseconds in which each request must be answered. */
  within?: number;
}

/**
 * One test for each line: its good request, sent by who may send it, with one thing wrong, is answered in time, never
 * by a failure; refused, it says why in words and has stored nothing.
 */
export function survivesBadInput(db: Db, lines: Line[], { within = 10_000 }: Options = {}): void {
  it.each(lines.map((line) => [line.name, line] as const))(
    `B239: %s with something wrong (seed ${seed})`,
    async (_name, line) => {
      const sender = async (role: Role) => makeUser(db, await makeSchool(db), role);
      const good = await play(db, line, await sender(line.may[0] ?? 'administrator'), undefined, within);
      expect(good.answer.status, 'the good request').toBe(line.ok);
      await fc.assert(
        fc.asyncProperty(breaks, fc.constantFrom(...line.may), async (way, role) => {
          const { answer, changed } = await play(db, line, await sender(role), way, within);
          expect(answer.status).toBeLessThan(500);
          expect(JSON.stringify(answer.body)).not.toMatch(/\\n\s+at |node_modules|\.server\.ts|SELECT |select "/);
          if (answer.status < 400) return;
          expect(wordsIn(answer.body)).toMatch(/\w/);
          expect(changed).toBe(false);
        }),
        { seed, numRuns },
      );
    },
    300_000,
  );
}

async function play(db: Db, { id, good }: Line, sender: Member, way: Break | undefined, within: number) {
  const request = good(id ? String(await id.own(sender)) : '')(await cookieOf(db, sender));
  const wrong = way ? await broken(request, way) : request;
  const before = await fingerprint(db);
  const answer = await inTime(answerTo(wrong), within);
  return { answer, changed: (await fingerprint(db)) !== before };
}

async function inTime(answering: Promise<Answer>, milliseconds: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([answering, late]).finally(() => clearTimeout(timer));
}

const refusedForm = z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string()).nullable()) }) });
const unknownFlight = z.object({ isUnknownFlight: z.literal(true) });

/** What a visitor reads in an answer of 4xx: its text, the words of a form, or of the page that names no flight. */
function wordsIn(body: unknown): string {
  if (typeof body === 'string') return body;
  const form = refusedForm.safeParse(body).data;
  if (form) return Object.values(form.result.error).flat().join(' ');
  return unknownFlight.safeParse(body).success ? 'Flight log not found' : '';
}

import type { Result } from '../fault.ts';
import type { Decide } from '../lab/statement-cutter.ts';
import { type ChoosePlaces, type Place, placesOf } from './place.ts';
import { added, describe, exceeds, type RowCounts } from './row-counts.ts';

/** One request that is prepared anew for each cut. */
export interface CutCase {
  name: string;
  repeatsWithoutKey: boolean;
  /** Prepares what the request needs and returns the request, the same each time. */
  prepare: () => Promise<() => Promise<Outcome>>;
}

/** The kind is 'done', 'refused' with the reason, or 'failed' if it may be tried again; HTTP also gave a `status`. */
export interface Outcome {
  kind: 'done' | 'refused' | 'failed';
  text: string;
  status?: number;
}

export interface Bench {
  /** Decides on each statement that the requests under test send. */
  decide: (decide: Decide | undefined) => void;
  countRows: () => Promise<RowCounts>;
  choose?: ChoosePlaces | undefined;
}

const MAX_TRIES = 8;

export function emptyResult(): Result {
  const counts = { acknowledged: 0, lost: 0, doubled: 0, toldNo: 0 };
  return { ...counts, serverErrors: {}, longestMs: 0, recoveredMs: 0, problems: [] };
}

/** Sends the request once as it is, then cut at its statements one by one, and again until it is done. */
export async function cutEachStatement(bench: Bench, one: CutCase, result: Result): Promise<void> {
  const undisturbed = await attempt(bench, one, undefined, 1, result);
  if (undisturbed.outcomes[0]?.kind !== 'done') {
    result.problems.push(`${one.name} fails without any harm: ${undisturbed.outcomes[0]?.text}`);
    return;
  }
  const isKeyed = undisturbed.added.idempotency_keys === 1;
  const tries = isKeyed || one.repeatsWithoutKey ? MAX_TRIES : 1;
  const places = placesOf(undisturbed.statements);
  for (const cut of bench.choose?.(places) ?? places) {
    const harmed = await attempt(bench, one, cut, tries, result);
    const name = `${one.name}, cut ${cut.where} statement ${cut.number}`;
    harmed.outcomes = harmed.outcomes.map((each) =>
      leadsTo(undisturbed.outcomes[0], each) ? { ...each, kind: 'done' } : each,
    );
    if (tries === 1) judgeOnce(name, harmed, undisturbed.added, result);
    else judge(name, harmed, isKeyed ? undisturbed.added : undefined, result);
  }
}

/** A user who signs out everywhere is led to the sign-in page, by this answer or by having no session any more. */
function leadsTo(wanted: Outcome | undefined, found: Outcome): boolean {
  const place = ({ text }: Outcome) => text.split('?')[0];
  return wanted !== undefined && wanted.text.startsWith('/') && place(wanted) === place(found);
}

interface Attempt {
  statements: string[];
  outcomes: Outcome[];
  added: RowCounts;
}

async function attempt(bench: Bench, one: CutCase, cut: Place | undefined, tries: number, result: Result) {
  const send = await one.prepare();
  const before = await bench.countRows();
  const statements: string[] = [];
  bench.decide((statement) => {
    statements.push(statement);
    return statements.length === cut?.number ? cut.where : undefined;
  });
  const outcomes = [await timed(send, result)];
  bench.decide(undefined);
  // The second time a person presses the button, nothing is cut.
  while (outcomes.at(-1)?.kind === 'failed' && outcomes.length < tries) outcomes.push(await timed(send, result));
  return { statements, outcomes, added: added(before, await bench.countRows()) } satisfies Attempt;
}

async function timed(send: () => Promise<Outcome>, result: Result): Promise<Outcome> {
  const start = performance.now();
  const outcome = await send();
  result.longestMs = Math.max(result.longestMs, performance.now() - start);
  const { status } = outcome;
  if (status !== undefined && status >= 500) result.serverErrors[status] = (result.serverErrors[status] ?? 0) + 1;
  return outcome;
}

/** Judges a request without a key, which is not sent again: it must be done whole or not at all. */
function judgeOnce(name: string, { outcomes, added: found }: Attempt, wanted: RowCounts, result: Result): void {
  if (outcomes[0]?.kind === 'done') result.acknowledged += 1;
  const isWhole = describe(found) === describe(wanted);
  if (isWhole || (outcomes[0]?.kind !== 'done' && Object.keys(found).length === 0)) return;
  result.lost += 1;
  result.problems.push(`${name}: added ${describe(found)} instead of ${describe(wanted)} or nothing`);
}

/** Judges a request with a key; `wanted` is what it adds when it is done once, unknown for one without. */
function judge(name: string, { outcomes, added: found }: Attempt, wanted: RowCounts | undefined, result: Result): void {
  const last = outcomes.at(-1);
  const told = outcomes.map(({ kind, status, text }) => `${kind} ${status ?? text}`).join(', then ');
  if (last?.kind === 'done') result.acknowledged += 1;
  if (last?.kind === 'failed') result.problems.push(`${name}: ${told}`);
  const isDone = Object.keys(found).length > 0;
  if (last?.kind === 'refused' && isDone) {
    result.toldNo += 1;
    result.problems.push(`${name}: told no though it was done: ${told}: ${last.text.slice(0, 120)}`);
  }
  if (last?.kind === 'refused' && !isDone)
    result.problems.push(`${name}: refused: ${told}: ${last.text.slice(0, 120)}`);
  if (!wanted || last?.kind !== 'done' || describe(found) === describe(wanted)) return;
  if (exceeds(found, wanted)) result.doubled += 1;
  else result.lost += 1;
  result.problems.push(`${name}: ${told}: added ${describe(found)} instead of ${describe(wanted)}`);
}

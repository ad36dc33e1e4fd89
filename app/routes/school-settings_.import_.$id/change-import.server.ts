import { redirect } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import { assertNoErrors } from '#app/domain/app-error.ts';
import { changeImport, removeImport, requireReading } from '#app/domain/imports/change-import.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { importOptionsSchema } from '#app/domain/imports/options.server.ts';
import { toFileImport, type FileImport, requireImport, type StoredImport } from '#app/domain/imports/queries.server.ts';
import { type Answers, answerFieldNameOf, type Question, withAnswer } from '#app/domain/imports/reading/answers.ts';
import { requestApply, requestUndo } from '#app/domain/imports/request-import.server.ts';
import type { ImportFormInput } from '#app/domain/imports/schema.server.ts';
import { MAX_ANSWER_WAIT_FOR_IMPORT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { runImportWithin } from '#app/server/jobs/import-jobs.server.ts';
import { fieldNameOfColumn } from './import-page.server.ts';
import { MOVING_IN_HANDLERS } from './moving-in.server.ts';

export function requireImportOfSchool({ schoolId }: Member, id: number): Promise<StoredImport> {
  return requireImport(db, schoolId, id);
}

export async function runIntent(actor: Member, id: number, input: ImportFormInput, key: string | undefined) {
  const stored = await requireImport(db, actor.schoolId, id);
  const intents = stored.kind === 'all' ? { ...INTENTS, ...MOVING_IN_HANDLERS } : INTENTS;
  return intents[input.intent](actor, stored, input, key);
}

type Run = (actor: Member, stored: StoredImport, input: ImportFormInput, key: string | undefined) => Promise<Response>;

const INTENTS: Record<ImportFormInput['intent'], Run> = {
  answer: async (actor, stored, input, key) => {
    const { id, kind, options, answers } = toFileImport(stored);
    const { questions } = await requireReading(db, { schoolId: actor.schoolId }, id);
    const given = questions.flatMap((question) => {
      const value = input.answers?.[answerFieldNameOf(question)] ?? '';
      return value === '' ? [] : [{ question, value }];
    });
    const open = given.length === 0 ? questions : [];
    assertNoErrors(
      Object.fromEntries(open.map((one) => [`answers.${answerFieldNameOf(one)}`, importTexts.answerRequired])),
    );
    const wrong = given.filter(({ question: { options: offered }, value }) => isNone(offered, value));
    assertNoErrors(
      Object.fromEntries(
        wrong.map(({ question }) => [`answers.${answerFieldNameOf(question)}`, importTexts.answerUnknown]),
      ),
    );
    const all = given.reduce((known, { question, value }) => withAnswer(known, question, value), answers);
    await changeImport(db, actor, id, { kind: all.kind || kind, answers: all, options }, key, input);
    return redirect(paths.import(id), 303);
  },
  check: async (actor, stored, input, key) => {
    const file = toFileImport(stored);
    const { id } = file;
    const { kind } = input;
    // 'Answer Again' names no kind, and the form does.
    const choice = kind
      ? { kind, answers: await answersOf(actor, file, input), options: importOptionsSchema.parse(input) }
      : { kind: file.kind, answers: {}, options: file.options };
    await changeImport(db, actor, id, choice, key, input);
    return redirectWithToast(paths.import(id), successToast('File read again'));
  },
  apply: async (actor, { id, options }, _input, key) =>
    run(await requestApply(db, { member: actor }, id, options, key)),
  undo: async (actor, { id }, _input, key) => run(await requestUndo(db, { member: actor }, id, key)),
  remove: async (actor, { id }, _input, key) => {
    await removeImport(db, actor, id, key);
    return redirectWithToast(paths.imports, successToast('File removed'));
  },
};

function isNone(offered: Question['options'], value: string): boolean {
  return offered.length > 0 && offered.every((option) => option.value !== value);
}

async function run({ id }: { id: number }): Promise<Response> {
  await runImportWithin(id, MAX_ANSWER_WAIT_FOR_IMPORT_MS);
  return redirect(paths.import(id), 303);
}

/** With another kind or table, columns are found anew; else those count as said that were chosen otherwise than found. */
async function answersOf(actor: Member, { id, kind, answers }: FileImport, input: ImportFormInput): Promise<Answers> {
  const { part, columns } = await requireReading(db, { schoolId: actor.schoolId }, id);
  const { columns: said, values, words, kind: _kind, ...formats } = answers;
  const sheet = input.sheet ?? answers.sheet;
  if (input.kind !== kind) return formats;
  if (sheet !== undefined && sheet !== part.name) return { ...formats, sheet };
  const chosen = columns.flatMap(({ at, heading, field }) => {
    const wanted = input.columns?.[fieldNameOfColumn(at)] ?? (input.columns ? '' : (field ?? ''));
    return wanted === (field ?? '') ? [] : [[heading, wanted]];
  });
  const left = Object.entries(values ?? {}).filter(([field]) => !chosen.some(([, wanted]) => wanted === field));
  return {
    ...formats,
    ...(values && { values: Object.fromEntries(left) }),
    ...(words && { words }),
    columns: { ...said, ...Object.fromEntries(chosen) },
  };
}

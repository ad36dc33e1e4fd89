import { AppError } from '#app/domain/app-error.ts';
import { importOptionsSchema, type ImportOptions } from '#app/domain/imports/options.server.ts';
import { OpenQuestionsError } from '#app/domain/imports/open-questions.ts';
import { ANSWER_NAMES, type Answers, answerTextsSchema } from '#app/domain/imports/reading/answers.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { importKindSchema, toImportAnswer } from '#app/domain/imports/schema.server.ts';
import { previewImport, uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { readImportFile } from '#app/features/imports/read-import-form.server.ts';
import { MAX_IMPORT_FORM_BYTES } from '#app/limits.ts';
import { authedFormCall } from '#app/server/api/api-call.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { runImportWithin } from '#app/server/jobs/import-jobs.server.ts';
import { parseOrThrow } from '#app/server/parse.server.ts';

export const loader = apiResource({
  POST: authedFormCall({
    can: 'manage school',
    limit: MAX_IMPORT_FORM_BYTES,
    run: ({ actor, form, key }) =>
      withQuestions(async () => {
        const kind = parseOrThrow(importKindSchema, form.get('kind'));
        const file = await readImportFile(form);
        if (kind === 'all') throw new AppError('invalid', importTexts.wholeSchool);
        const choices = { answers: readAnswers(form), options: readOptions(form) };
        const { options } = choices;
        if (form.get('preview') === '1') return { kind, ...(await previewImport(db, actor, file, kind, choices)) };
        const importer = { member: actor };
        const { id } = await uploadImport(db, importer, file, kind, { ...choices, key, isWhole: true });
        await requestApply(db, importer, id, options, key);
        await runImportWithin(id);
        return toImportAnswer(await requireImport(db, actor.schoolId, id));
      }),
  }),
});
export const action = loader;

/** 400 with the questions as data, where a file leaves some open. */
async function withQuestions(run: () => Promise<object>): Promise<object> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OpenQuestionsError)) throw error;
    return jsonResponse({ message: error.message, questions: error.questions }, 400);
  }
}

function readAnswers(form: FormData): Answers {
  const given = ANSWER_NAMES.flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  return parseOrThrow(answerTextsSchema, Object.fromEntries(given));
}

function readOptions(form: FormData): ImportOptions {
  const names = importOptionsSchema.keyof().options;
  return importOptionsSchema.parse(Object.fromEntries(names.map((name) => [name, form.get(name) === '1'])));
}

import type { Member } from '#app/domain/actor.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { requireReading } from '#app/domain/imports/change-import.server.ts';
import { importTexts, problemText, rowNumbersText } from '#app/domain/imports/import-texts.server.ts';
import { toFileImport, type FileImport, requireImport, type StoredImport } from '#app/domain/imports/queries.server.ts';
import { answerFieldNameOf } from '#app/domain/imports/reading/answers.ts';
import { FIELDS } from '#app/domain/imports/reading/fields.ts';
import { IMPORT_KINDS, KIND_LABELS } from '#app/domain/imports/records.ts';
import { findUsers } from '#app/domain/people/queries.server.ts';
import { toImportView } from '#app/features/imports/import-view.server.ts';
import { db } from '#app/server/db.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import { loadMovingIn } from './moving-in.server.ts';

export type ImportPageData = Awaited<ReturnType<typeof loadImportPage>>;
export type ImportChoices = NonNullable<ImportPageData['choice']>;

export async function loadImportPage(actor: Member, id: number, url: URL) {
  const stored = await requireImport(db, actor.schoolId, id);
  const isWaiting = stored.state === 'uploaded' && stored.requested === null;
  return {
    view: toImportView(stored, actor.timeZone),
    preview: toTexts(stored.preview),
    choice: isWaiting && stored.kind !== 'all' ? await loadChoice(actor, toFileImport(stored)) : null,
    movingIn: isWaiting && stored.kind === 'all' ? await loadMovingIn(actor, id) : null,
    asksUndo: stored.state === 'applied' && stored.requested === null && url.searchParams.get('confirm') === 'undo',
    requestId: newFormRequestId(),
  };
}

/** Rows as people read them; refusals by their cause, with the first row of each. */
function toTexts({ causes, differences, there, remarks, changes, skipped }: StoredImport['preview']) {
  const more = (rows: number) => (rows > 1 ? ` (${rows.toLocaleString('en')} rows)` : '');
  return {
    causes: causes.map(({ rows, ...cause }) => `${problemText(cause)}${more(rows)}`),
    differences: differences.map(problemText),
    there: there.map(problemText),
    remarks: remarks.map(problemText),
    changes: changes.map(problemText),
    skipped: skipped.length === 0 ? '' : `: ${rowNumbersText(skipped)}`,
  };
}

/** Loads what can be put right before the file is imported, and what it leaves open. */
async function loadChoice(actor: Member, { id, kind, options, preview, answers }: FileImport) {
  const { part, left, columns, questions } = await requireReading(db, { schoolId: actor.schoolId }, id);
  const ticks = Object.fromEntries(Object.entries(options).map(([name, isOn]) => [name, isOn ? 'on' : '']));
  const places = Object.fromEntries(columns.map(({ at, field }) => [fieldNameOfColumn(at), field ?? '']));
  return {
    kind,
    options,
    isKindOpen: answers.kind === '',
    isAnswered: Object.keys(answers).some((name) => name !== 'kind' && name !== 'columns'),
    kinds: IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
    fields: FIELDS[kind].map(({ name, label }) => ({ value: name, label })),
    sheets: [part, ...left].map(({ name }) => ({ value: name, label: name })),
    columns: columns.map(({ at, heading, cells, against, field }) => ({
      ...{ place: fieldNameOfColumn(at), heading, cells: cells.map((cell) => shorten(cell, SHOWN_CHARACTERS)) },
      note:
        against && field
          ? `Unlike the others: ${shorten(against.text, SHOWN_CHARACTERS)} (row ${against.row})`
          : undefined,
    })),
    questions: await Promise.all(
      questions.map(async (question) => ({
        key: answerFieldNameOf(question),
        text: question.text,
        options:
          question.name === 'values' && question.options.length === 0
            ? await findNamesHere(actor, question.field)
            : question.options.map(({ value, text }) => ({ value, label: text })),
      })),
    ),
    values: { ...ticks, kind, columns: places, sheet: part.name },
    obstacle: questions.length > 0 ? importTexts.questionsOpen : obstacleOf(preview, options),
  };
}

/** Finds what a value for the whole file may be, where the school has a list of it. */
async function findNamesHere({ schoolId }: Member, field = ''): Promise<{ value: string; label: string }[]> {
  if (field === 'aircraft')
    return (await findFleet(db, schoolId)).map(({ tailNumber }) => ({ value: tailNumber, label: tailNumber }));
  if (!PEOPLE.includes(field)) return [];
  const people = await findUsers(db, schoolId);
  return people.map(({ username, name }) => ({ value: username, label: name ? `${name} (${username})` : username }));
}

const PEOPLE = ['pilot', 'instructor', 'author'];

const SHOWN_CHARACTERS = 80;

function obstacleOf({ added, changed, refused }: StoredImport['preview'], options: StoredImport['options']) {
  if (added + changed === 0) return importTexts.nothingToImport;
  return refused === 0 || options.leaveOutRefused ? null : importTexts.rowsRefused;
}

function shorten(text: string, characters: number): string {
  const all = [...text.trim()];
  return all.length <= characters ? all.join('') : `${all.slice(0, characters - 1).join('')}…`;
}

/** The name of a column in the form: a field's name opens with a letter. */
export const fieldNameOfColumn = (at: number) => `c${at}`;

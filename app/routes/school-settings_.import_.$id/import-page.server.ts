import { redirect } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import { changeImport, removeImport, requireTable } from '#app/domain/imports/change-import.server.ts';
import { IMPORT_FIELDS } from '#app/domain/imports/columns/import-fields.ts';
import { type ImportFormInput, optionsOf } from '#app/domain/imports/form-schema.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { requireImport, type StoredImport } from '#app/domain/imports/queries.server.ts';
import type { ImportTable } from '#app/domain/imports/records.ts';
import { requestApply, requestUndo } from '#app/domain/imports/request-import.server.ts';
import { toImportView } from '#app/features/imports/import-view.server.ts';
import { IMPORT_ANSWER_WAIT_MS, IMPORT_ROWS_IN_SAMPLE } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { runImportFor } from '#app/server/imports/import-jobs.server.ts';

export type Choice = NonNullable<Awaited<ReturnType<typeof loadImportPage>>['choice']>;

export async function loadImportPage(actor: Member, id: number, url: URL) {
  const stored = await requireImport(db, actor.schoolId, id);
  const isWaiting = stored.state === 'uploaded' && stored.requested === null;
  return {
    view: toImportView(stored, actor.timeZone),
    preview: stored.preview,
    choice: isWaiting ? await loadChoice(actor, stored) : null,
    asksUndo: stored.state === 'applied' && stored.requested === null && url.searchParams.get('confirm') === 'undo',
    requestId: newRequestId(),
  };
}

/** Loads what can be put right before the file is imported, beside its first rows. */
async function loadChoice(actor: Member, { id, kind, columns, formats, options, preview }: StoredImport) {
  const table = await requireTable(db, actor.schoolId, id);
  const ticks = Object.fromEntries(Object.entries(options).map(([name, isOn]) => [name, isOn ? 'on' : '']));
  const places = Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, at === null ? '' : String(at)]));
  return {
    kind,
    options,
    fields: IMPORT_FIELDS[kind],
    ...sampleOf(table),
    values: { ...formats, ...ticks, columns: places },
    obstacle: obstacleOf(preview, options),
  };
}

function obstacleOf({ added, changed, refused }: StoredImport['preview'], options: StoredImport['options']) {
  if (added + changed === 0) return importTexts.nothingToImport;
  return refused === 0 || options.leaveOutRefused ? null : importTexts.rowsRefused;
}

function sampleOf({ header, rows }: ImportTable) {
  const sample = rows.slice(0, IMPORT_ROWS_IN_SAMPLE);
  const columns = header.map((heading, at) => {
    const cells = sample.map((row) => shorten(row.cells[at] ?? '', SHOWN_CHARACTERS));
    return { heading, cells, example: shorten(cells.find((cell) => cell !== '') ?? '', EXAMPLE_CHARACTERS) };
  });
  return { columns, sampleRows: sample.map(({ number }) => number) };
}

const SHOWN_CHARACTERS = 80;
const EXAMPLE_CHARACTERS = 24;

function shorten(text: string, characters: number): string {
  const all = [...text.trim()];
  return all.length <= characters ? all.join('') : `${all.slice(0, characters - 1).join('')}…`;
}

export function runIntent(actor: Member, id: number, input: ImportFormInput, key: string | undefined) {
  return INTENTS[input.intent](actor, id, input, key);
}

type Run = (actor: Member, id: number, input: ImportFormInput, key: string | undefined) => Promise<Response>;

const INTENTS: Record<ImportFormInput['intent'], Run> = {
  check: async (actor, id, input, key) => {
    const { columns, formats } = await requireImport(db, actor.schoolId, id);
    const chosen = Object.entries(input.columns ?? {}).map(([name, at]) => [name, at === '' ? null : Number(at)]);
    // A browser leaves empty choices out of the form.
    const none = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
    const choice = {
      columns: input.columns ? { ...none, ...Object.fromEntries(chosen) } : columns,
      formats: {
        ...formats,
        ...(input.decimals && { decimals: input.decimals }),
        ...(input.dates && { dates: input.dates }),
      },
      options: optionsOf(input),
    };
    await changeImport(db, actor, id, choice, key);
    return redirectWithToast(paths.import(id), successToast('File read again'));
  },
  apply: async (actor, id, _input, key) => {
    const { options } = await requireImport(db, actor.schoolId, id);
    await requestApply(db, { ...actor, member: actor }, id, options, key);
    await runImportFor(id, IMPORT_ANSWER_WAIT_MS);
    return redirect(paths.import(id), 303);
  },
  undo: async (actor, id, _input, key) => {
    await requestUndo(db, { ...actor, member: actor }, id, key);
    await runImportFor(id, IMPORT_ANSWER_WAIT_MS);
    return redirect(paths.import(id), 303);
  },
  remove: async (actor, id, _input, key) => {
    await removeImport(db, actor, id, key);
    return redirectWithToast(paths.imports, successToast('File removed'));
  },
};

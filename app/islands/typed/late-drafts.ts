import { DRAFT_TIMEOUT_MS, LATE_DRAFT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { deviceStorage } from './local-entries.ts';
import { isSharedComputer, formKey, serverDraft } from './viewer.ts';

/** When the drafts were typed that were on their way as the page went, by form; nothing of what was typed. */
const KEY = 'draftsUnderWay';

export function noteLeaving(drafts: [string, number][]): void {
  if (isSharedComputer() && drafts.length > 0) writeNotes({ ...readNotes(), ...Object.fromEntries(drafts) });
}

/** Whether a draft of this form was sent that this page has overtaken. */
export function isLate(form: HTMLFormElement): boolean {
  if (!isSharedComputer()) return false;
  const name = formKey(form);
  const typedAt = readNotes()[name];
  if (typedAt === undefined) return false;
  const isComing = typedAt > (serverDraft(form.id)?.typedAt ?? 0) && typedAt > Date.now() - DRAFT_TIMEOUT_MS;
  if (!isComing) forgetNote(name);
  return isComing;
}

/** Asks for it until it has come; undefined if it never does, or the form has gone meanwhile. */
export async function findLateDraft(form: HTMLFormElement): Promise<Record<string, string> | undefined> {
  const name = formKey(form);
  const typedAt = readNotes()[name] ?? 0;
  for (const delay of LATE_DRAFT_MS) {
    await sleep(delay);
    const draft = await fetch(paths.draft(name), { signal: AbortSignal.timeout(DRAFT_TIMEOUT_MS) })
      .then((response): Promise<LateDraft> => response.json())
      .catch(() => undefined);
    if (!form.isConnected) return undefined;
    if (!draft?.values || (draft.typedAt ?? 0) < typedAt) continue;
    forgetNote(name);
    return draft.values;
  }
  forgetNote(name);
  return undefined;
}

interface LateDraft {
  values: Record<string, string> | null;
  typedAt: number | null;
}

function forgetNote(name: string): void {
  const { [name]: _, ...rest } = readNotes();
  writeNotes(rest);
}

function readNotes(): Record<string, number> {
  return JSON.parse(deviceStorage()?.getItem(KEY) ?? '{}');
}

function writeNotes(notes: Record<string, number>): void {
  deviceStorage()?.setItem(KEY, JSON.stringify(notes));
}

function sleep(delayMs: number): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, delayMs));
}

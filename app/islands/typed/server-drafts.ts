import {
  AUTOSAVE_DELAY_MS,
  DRAFT_RETRY_MS,
  DRAFT_TIMEOUT_MS,
  LATE_DRAFT_CHECK_DELAYS_MS,
  MAX_KEEPALIVE_BYTES,
} from '#app/limits.ts';
import { TYPED_AT, TYPED_FORM, DRAFT_KNOWN_AT, VIEWER_ID } from '#app/domain/typed-forms/field-names.ts';
import { OFFLINE_CHECK_OUT_FORM_KEY, paths } from '#app/paths.ts';
import { tell } from '#app/ui/news.ts';
import { fieldOf, readValues, toFields, type Values } from './controls.ts';
import {
  findDraftOnItsWayTypedAt,
  findEntry,
  findUnsaved,
  hasAnyKeptPhotos,
  isDeviceKeepingNoText,
  noteDraftOnItsWay,
  saveEntry,
} from './entries.ts';
import { offerOtherDraft } from './restore.ts';
import { formKey, renderedAt, serverDraft, viewerId } from './viewer.ts';

interface DraftAnswer {
  /** Null: the form was sent before its draft came. */
  savedAt: string | null;
  other: { values: Values; savedAt: string } | null;
}

interface Waiting {
  form: HTMLFormElement;
  touched: string[];
  body: URLSearchParams;
  timer: number | undefined;
}

interface Request {
  controller: AbortController;
  end: Promise<void>;
}

const waiting = new Map<string, Waiting>();
const requests = new Map<string, Request>();
const knownAt = new Map<string, string>();

/** Sends a form's draft a second after its last change unless it `waitsForLate`, or with `sendDrafts`. */
export function scheduleDraft(form: HTMLFormElement, touched: string[], waitsForLate = false): void {
  if (viewerId() === undefined) return;
  const name = formKey(form);
  window.clearTimeout(waiting.get(name)?.timer);
  const timer = waitsForLate ? undefined : window.setTimeout(() => send(name), AUTOSAVE_DELAY_MS);
  const body = bodyOf(form, name, touched);
  waiting.set(name, { form, touched, body, timer });
  noteDraftOnItsWay(name, Number(body.get(TYPED_AT)));
}

export function sendDrafts(): void {
  for (const name of waiting.keys()) send(name);
}

/** For a log-out, after which no draft is taken. Returns true if something is kept that no draft of the server holds. */
export async function finishDraftsAndCheckUnsaved(): Promise<boolean> {
  sendDrafts();
  await Promise.all([...requests.values()].map(({ end }) => end));
  if (waiting.size > 0 || (await hasAnyKeptPhotos())) return true;
  // The drafts of the steps hold what was copied from them.
  const unsaved = findUnsaved().filter(([name]) => name !== OFFLINE_CHECK_OUT_FORM_KEY);
  const drafts = await Promise.all(unsaved.map(([name]) => fetchDraft(name)));
  return unsaved.some(([, at], place) => (drafts[place]?.typedAt ?? 0) < at);
}

export function cancelDraft(name: string): void {
  window.clearTimeout(waiting.get(name)?.timer);
  waiting.delete(name);
  requests.get(name)?.controller.abort();
}

function send(name: string): void {
  const draft = waiting.get(name);
  if (!draft) return;
  cancelDraft(name);
  const { form, touched } = draft;
  // Anything that follows an input, such as the scan of a reading, comes with the next rendering.
  const isShown = form.isConnected && formKey(form) === name;
  const body = isShown ? bodyOf(form, name, touched) : draft.body;
  body.set(DRAFT_KNOWN_AT, knownAt.get(name) ?? renderedAt() ?? '');
  const controller = new AbortController();
  const end = finish(name, { ...draft, body }, controller);
  requests.set(name, { controller, end });
}

async function finish(name: string, { form, touched, body }: Waiting, controller: AbortController): Promise<void> {
  const timer = window.setTimeout(() => controller.abort('late'), DRAFT_TIMEOUT_MS);
  const answer = await post(body, controller.signal);
  window.clearTimeout(timer);
  if (requests.get(name)?.controller === controller) requests.delete(name);
  if (controller.signal.aborted && controller.signal.reason !== 'late') return;
  const isOutdated = waiting.has(name);
  if (!answer && isDeviceKeepingNoText() && !isOutdated) {
    const again = window.setTimeout(() => send(name), DRAFT_RETRY_MS);
    waiting.set(name, { form, touched, body, timer: again });
  }
  tell('draftstate', answer?.savedAt ? 'saved' : isDeviceKeepingNoText() ? 'failed' : 'on device', form);
  if (!answer?.savedAt) return;
  knownAt.set(name, answer.savedAt);
  const entry = findEntry(name);
  if (!entry) return;
  // Values typed since wait for their own draft.
  if (!isOutdated && Object.entries(readValues(form)).every(([key, value]) => entry.values[key] === value))
    saveEntry(name, { ...entry, savedAt: answer.savedAt });
  if (answer.other) offerOtherDraft(form, answer.other);
}

function post(body: URLSearchParams, signal: AbortSignal): Promise<DraftAnswer | undefined> {
  // The browser refuses to carry more past the end of the page.
  const keepalive = String(body).length <= MAX_KEEPALIVE_BYTES;
  return fetch(paths.drafts, { method: 'POST', body, keepalive, signal })
    .then((response): Promise<DraftAnswer> | undefined => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
}

/** The whole of a form that has a draft of its own, else what was changed. */
function bodyOf(form: HTMLFormElement, name: string, touched: string[]): URLSearchParams {
  const body = new URLSearchParams(form.dataset.draft === undefined ? changedFields(form, touched) : textFields(form));
  body.set(TYPED_FORM, name);
  body.set(TYPED_AT, String(nextTypedAt()));
  const all = new FormData(form);
  for (const field of ['requestId', 'seen', VIEWER_ID]) {
    const value = all.get(field);
    if (typeof value === 'string') body.set(field, value);
  }
  return body;
}

let last = 0;

/** A time of this page, later than any before, so that the server can put drafts in their order. */
export function nextTypedAt(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}

function textFields(form: HTMLFormElement): [string, string][] {
  return [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string');
}

function changedFields(form: HTMLFormElement, touched: string[]): [string, string][] {
  const names = serverDraft(form.id)?.names ?? [];
  return toFields(form, (key) => touched.includes(key) || names.includes(fieldOf(key)));
}

/** Returns true if a draft of this form was sent that this page has overtaken. */
export function hasLateDraft(form: HTMLFormElement): boolean {
  const typedAt = findDraftOnItsWayTypedAt(formKey(form));
  return typedAt > (serverDraft(form.id)?.typedAt ?? 0) && typedAt > Date.now() - DRAFT_TIMEOUT_MS;
}

/** Asks for it until it has come; undefined if it never does, or the form has gone meanwhile. */
export async function waitForLateDraft(form: HTMLFormElement): Promise<Values | undefined> {
  const name = formKey(form);
  const typedAt = findDraftOnItsWayTypedAt(name);
  for (const delay of LATE_DRAFT_CHECK_DELAYS_MS) {
    await new Promise((resolve) => window.setTimeout(resolve, delay));
    const draft = await fetchDraft(name);
    if (!form.isConnected) return undefined;
    if (draft?.values && (draft.typedAt ?? 0) >= typedAt) return draft.values;
  }
  return undefined;
}

function fetchDraft(name: string): Promise<{ values: Values | null; typedAt: number | null } | undefined> {
  return fetch(paths.draft(name), { signal: AbortSignal.timeout(DRAFT_TIMEOUT_MS) })
    .then((response) => response.json())
    .catch(() => undefined);
}

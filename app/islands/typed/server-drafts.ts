import { AUTOSAVE_DELAY_MS, DRAFT_RETRY_MS, DRAFT_TIMEOUT_MS } from '#app/limits.ts';
import { TYPED_FORM, TYPED_SINCE } from '#app/domain/typed-forms/field-names.ts';
import { paths } from '#app/paths.ts';
import { noteLeaving } from './late-drafts.ts';
import { toFields } from './controls.ts';
import { isShared, nameOf, renderedAt, serverDraft, viewerId } from './viewer.ts';

export interface DraftAnswer {
  /** Null: the form was sent before its draft came. */
  savedAt: string | null;
  other: { values: Record<string, string>; savedAt: string } | null;
}

interface Waiting {
  form: HTMLFormElement;
  touched: string[];
  body: URLSearchParams;
  timer: number;
}

export interface SettledDraft {
  form: HTMLFormElement;
  name: string;
  answer: DraftAnswer | undefined;
  /** Something was typed after it had been sent. */
  isOutdated: boolean;
}

type Settled = (draft: SettledDraft) => void;

const waiting = new Map<string, Waiting>();
const requests = new Map<string, AbortController>();
const knownAt = new Map<string, string>();

/** Sends a form's draft a second after its last change, or with `sendDrafts`. */
export function scheduleDraft(form: HTMLFormElement, touched: string[], settled: Settled): void {
  if (viewerId() === undefined) return;
  const name = nameOf(form);
  window.clearTimeout(waiting.get(name)?.timer);
  const timer = window.setTimeout(() => void send(name, settled), AUTOSAVE_DELAY_MS);
  waiting.set(name, { form, touched, body: bodyOf(form, name, touched), timer });
}

/** At once, for a page that is about to go. */
export function sendDrafts(settled: Settled): void {
  // One that was sent a moment ago may be overtaken, too.
  noteLeaving([...waiting.keys(), ...requests.keys()]);
  for (const name of waiting.keys()) void send(name, settled);
}

/** Before the form itself is sent. */
export function cancelDraft(name: string): void {
  window.clearTimeout(waiting.get(name)?.timer);
  waiting.delete(name);
  requests.get(name)?.abort();
}

async function send(name: string, settled: Settled): Promise<void> {
  const draft = waiting.get(name);
  if (!draft) return;
  cancelDraft(name);
  const request = new AbortController();
  requests.set(name, request);
  const timer = window.setTimeout(() => request.abort('late'), DRAFT_TIMEOUT_MS);
  const { form, touched } = draft;
  // What follows an input, such as the scan of a reading, comes with the next rendering.
  const isShown = form.isConnected && nameOf(form) === name;
  const body = isShown ? bodyOf(form, name, touched) : draft.body;
  body.set(TYPED_SINCE, knownAt.get(name) ?? renderedAt() ?? '');
  const answer = await fetch(form.dataset.draft ?? paths.drafts, {
    method: 'POST',
    body,
    keepalive: true,
    signal: request.signal,
  })
    .then((response): Promise<DraftAnswer> | undefined => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  window.clearTimeout(timer);
  if (requests.get(name) === request) requests.delete(name);
  if (request.signal.aborted && request.signal.reason !== 'late') return;
  if (answer?.savedAt) knownAt.set(name, answer.savedAt);
  const isOutdated = waiting.has(name);
  // A shared computer has nothing else than the server.
  if (!answer && isShared() && !isOutdated) {
    const again = window.setTimeout(() => void send(name, settled), DRAFT_RETRY_MS);
    waiting.set(name, { form, touched, body, timer: again });
  }
  settled({ form, name, answer, isOutdated });
}

/** The whole of a form that has a draft of its own, else what was changed. */
function bodyOf(form: HTMLFormElement, name: string, touched: string[]): URLSearchParams {
  if (form.dataset.draft !== undefined) {
    const texts = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string');
    return new URLSearchParams(texts);
  }
  const names = serverDraft(form.id)?.names ?? [];
  const body = new URLSearchParams(
    toFields(form, (key) => touched.includes(key) || names.includes(key.replace(/=.*/, ''))),
  );
  body.set(TYPED_FORM, name);
  const requestId = new FormData(form).get('requestId');
  if (typeof requestId === 'string') body.set('requestId', requestId);
  return body;
}

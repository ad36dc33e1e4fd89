import { onFormOutcome } from '#app/ui/forms/kept/form-outcome.ts';
import { lastSentForm, type SentForm } from '#app/ui/forms/kept/sent-form.ts';
import { showDraftState } from '#app/ui/forms/kept/draft-state.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { texts } from '#app/domain/texts.ts';
import { DISCARDS_UNSENT, TYPED_AT, TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { paths } from '#app/paths.ts';
import { chooseHandling } from '#app/service-worker/requests.ts';
import { copyStep, forgetSteps } from './check-out-steps.ts';
import { fileInputs, readDefaults, readSubject, readValues } from './controls.ts';
import { deleteEntry, deleteForeignEntries, type Entry, findEntry, saveEntry } from './local-entries.ts';
import { findLateDraft, isLate } from './late-drafts.ts';
import { applyDraft, offerOtherDraft, offerOtherTabs } from './offers.ts';
import { deletePhotos, hasPhotos, openPhotos, restorePhotos, savePhotos } from './photos.ts';
import { findMissing, isNewPage, restoreForm } from './restore.ts';
import { cancelDraft, finishDrafts, scheduleDraft, sendDrafts, type SettledDraft } from './server-drafts.ts';
import { shrinkPhotos } from './shrink-photos.ts';
import { nextTypedAt } from './typed-at.ts';
import { isSharedComputer, formKey, viewerId } from './viewer.ts';

/** Keeps what is typed into any form that posts, until it is sent. */
export function keepTyped(): void {
  let purgedFor: string | undefined;
  const start = () => {
    const viewer = `${viewerId()} ${isSharedComputer()}`;
    if (viewer !== purgedFor) {
      purgedFor = viewer;
      deleteForeignEntries();
      void openPhotos().then(restoreAllPhotos);
    }
    restoreForms();
  };
  const whenHydrated = () => document.documentElement.dataset.hydrated !== undefined && window.setTimeout(start);
  new MutationObserver(whenHydrated).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-hydrated', 'data-viewer', 'data-shared'],
  });
  whenHydrated();
  document.addEventListener('input', handleInput);
  document.addEventListener('change', handleInput);
  document.addEventListener('submit', handleSubmit, true);
  document.addEventListener('formdata', addOwnFields);
  for (const type of ['click', 'visibilitychange']) document.addEventListener(type, sendBeforeLeaving, true);
  for (const type of ['pagehide', 'popstate']) window.addEventListener(type, sendBeforeLeaving, true);
  const last = lastSentForm();
  if (last && !last.isDone && isKept(last.form)) sent = last;
  onFormOutcome(handleOutcome);
  offerOtherTabs();
}

const restored = new WeakSet<HTMLFormElement>();
/** Forms whose drafts are on their way, with the names of what is typed meanwhile. */
const awaited = new WeakMap<HTMLFormElement, Set<string>>();
let isRestoring = false;
let isLeaving = false;
let sent: SentForm | undefined;

function restoreForms(): void {
  const last = lastSentForm();
  for (const form of document.forms) {
    if (!isKept(form) || restored.has(form)) continue;
    const isSent = form === last?.form;
    if (isSent && !last?.isDone) continue;
    restored.add(form);
    if (isSent) continue;
    whileRestoring(() => restoreForm(form));
    void restorePhotos(formKey(form), form);
    const typed = awaitLate(form);
    if (typed) void restoreLate(form, typed);
    else if (dirtyKeys(form).length > 0) keep(form);
  }
}

/** The names of what is typed while the form's draft is on its way; undefined where none is. */
function awaitLate(form: HTMLFormElement): Set<string> | undefined {
  const known = awaited.get(form);
  if (known || findEntry(formKey(form)) || !isLate(form)) return known;
  const typed = new Set(isNewPage() ? dirtyKeys(form).map((key) => key.replace(/=.*/s, '')) : []);
  awaited.set(form, typed);
  return typed;
}

/** Leaves what is typed while its draft is on its way. */
async function restoreLate(form: HTMLFormElement, typed: Set<string>): Promise<void> {
  const draft = await findLateDraft(form);
  awaited.delete(form);
  if (draft) applyDraft(form, draft, typed);
  if (dirtyKeys(form).length > 0) keep(form);
}

function restoreAllPhotos(): void {
  for (const form of document.forms) {
    if (!isKept(form) || form === lastSentForm()?.form) continue;
    // Chosen before there was a place to keep it.
    for (const input of fileInputs(form)) savePhotos(formKey(form), input);
    void restorePhotos(formKey(form), form);
  }
}

/** Without saving anew what is only put back. */
function whileRestoring(work: () => void): void {
  isRestoring = true;
  work();
  isRestoring = false;
}

function handleInput({ target }: Event): void {
  if (isRestoring || !(target instanceof HTMLElement)) return;
  const form = target.closest('form');
  if (!form || !isKept(form)) return;
  // What is typed before `restoreForms` came must not hide a draft that is on its way.
  const typed = restored.has(form) ? awaited.get(form) : awaitLate(form);
  typed?.add(target.getAttribute('name') ?? '');
  if (target instanceof HTMLInputElement && target.type === 'file') void shrinkPhotos(target);
  keep(form);
}

function keep(form: HTMLFormElement): void {
  const name = formKey(form);
  copyStep(form);
  for (const input of fileInputs(form)) savePhotos(name, input);
  const isRestored = restored.has(form);
  const former = isRestored ? findEntry(name) : findMissing(form);
  const requestId = findEntry(name)?.requestId;
  const dirty = dirtyKeys(form);
  const touched = [...new Set([...(former?.touched ?? []), ...dirty])];
  if (touched.length === 0) return;
  const entry: Entry = {
    values: readValues(form),
    defaults: readDefaults(form),
    touched,
    subject: readSubject(form),
    at: Date.now(),
    isSaved: false,
    ...(requestId !== undefined && { requestId }),
  };
  saveEntry(name, former && !isRestored ? withMissing(entry, former, dirty) : entry);
  scheduleDraft(form, touched, handleDraft, awaited.has(form));
}

/** Beside what is typed early, what was typed before this page and is not in its form yet. */
function withMissing(entry: Entry, former: Entry, dirty: string[]): Entry {
  const isTyped = ([key]: [string, string]) => former.touched.includes(key) && !dirty.includes(key);
  const values = { ...entry.values, ...Object.fromEntries(Object.entries(former.values).filter(isTyped)) };
  return { ...entry, values, defaults: { ...entry.defaults, ...former.defaults }, at: former.at };
}

function handleDraft({ form, name, answer, isOutdated }: SettledDraft): void {
  showDraftState(form, answer?.savedAt ? 'saved' : isSharedComputer() ? 'failed' : 'on device');
  const entry = findEntry(name);
  if (!answer?.savedAt || !entry) return;
  // What was typed since waits for its own draft.
  if (!isOutdated && Object.entries(readValues(form)).every(([key, value]) => entry.values[key] === value))
    saveEntry(name, { ...entry, isSaved: true, savedAt: answer.savedAt });
  if (answer.other) offerOtherDraft(form, answer.other);
}

function handleSubmit(event: SubmitEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
  if (!navigator.onLine && !canBeAnswered(new URL(target.action))) {
    event.preventDefault();
    event.stopPropagation();
    return showToast({ title: 'Error', text: texts.networkFailed, tone: 'destructive' });
  }
  if (!isKept(target)) return leaveNothing(event, target);
  const name = formKey(target);
  copyStep(target);
  cancelDraft(name);
  sent = { form: target, fields: new FormData(target) };
}

/** A log-out removes everything from this device: drafts go first, and photos, which no draft holds, not unasked. */
function leaveNothing(event: SubmitEvent, form: HTMLFormElement): void {
  const isLogOut = new URL(form.action).pathname === paths.logout;
  if (!isLogOut || isLeaving || new FormData(form).has(DISCARDS_UNSENT)) return;
  event.preventDefault();
  event.stopPropagation();
  void Promise.all([hasPhotos(), finishDrafts(handleDraft)]).then(([areKept]) => {
    if (areKept) return location.assign(paths.logoutUnsent);
    isLeaving = true;
    form.requestSubmit();
    isLeaving = false;
  });
}

/** A form that came without an answer is sent again as the same request, also after the page came anew. */
function addOwnFields({ target, formData }: FormDataEvent): void {
  if (!(target instanceof HTMLFormElement) || !isKept(target)) return;
  formData.set(TYPED_AT, String(nextTypedAt()));
  const requestId = findEntry(formKey(target))?.requestId;
  if (requestId !== undefined && formData.has('requestId')) formData.set('requestId', requestId);
}

function handleOutcome(outcome: 'sent' | 'refused' | 'mismatch' | 'unknown'): void {
  if (!sent) return;
  // That which waits for the password names the form of another page.
  const { form, fields } = sent;
  const name = textOf(fields, TYPED_FORM) ?? formKey(form);
  const requestId = textOf(fields, 'requestId');
  sent = undefined;
  if (outcome === 'sent') {
    deleteEntry(name);
    deletePhotos(name);
    return forgetSteps(form);
  }
  // One that was sent before this script came.
  restoreForms();
  const entry = findEntry(name);
  if (entry && outcome === 'unknown' && requestId !== undefined) saveEntry(name, { ...entry, requestId });
  else if (entry?.requestId !== undefined) {
    const { requestId: _, ...rest } = entry;
    saveEntry(name, rest);
  }
  // Submitting it has put off the draft.
  if (entry && name === formKey(form)) scheduleDraft(form, entry.touched, handleDraft);
}

/** Without a network another screen's answer cannot come, but for what the service worker keeps and sends later. */
function canBeAnswered(url: URL): boolean {
  const isOfWorker = navigator.serviceWorker?.controller && chooseHandling({ method: 'POST', mode: 'cors', url });
  return url.pathname === location.pathname || Boolean(isOfWorker);
}

function sendBeforeLeaving(event: Event): void {
  if (event.type === 'click' && !(event.target instanceof Element && event.target.closest('a[href]'))) return;
  if (event.type === 'visibilitychange' && document.visibilityState === 'visible') return;
  sendDrafts(handleDraft);
}

function dirtyKeys(form: HTMLFormElement): string[] {
  const [values, defaults] = [readValues(form), readDefaults(form)];
  return Object.keys(values).filter((key) => defaults[key] !== values[key]);
}

function textOf(fields: FormData, name: string): string | undefined {
  const text = fields.get(name);
  return typeof text === 'string' ? text : undefined;
}

function isKept(form: HTMLFormElement): boolean {
  return form.method === 'post' && form.id !== '';
}

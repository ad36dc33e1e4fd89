import { lastSentForm, type SentForm } from '#app/ui/forms/kept/sent-form.ts';
import { type FormOutcome, hear } from '#app/ui/news.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { serviceWorkers } from '#app/ui/service-workers.ts';
import { texts } from '#app/domain/texts.ts';
import { DISCARDS_UNSENT, TYPED_AT, TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { paths } from '#app/paths.ts';
import { chooseHandling, LOGOUT_FAILED_HASH } from '#app/service-worker/requests.ts';
import { adoptTypedCheckIn, copyStepIntoOfflineForm, forgetSteps } from './check-out-steps.ts';
import { carryTyped, dirtyKeys, fileInputs, readDefaults, readSubject, readValues } from './controls.ts';
import { deleteEntry, findEntry, isLoaded, loadEntries, restorePhotos, saveEntry, savePhotos } from './entries.ts';
import { carryFocus, focusNextRow, startKeepingFocus, noteFocus } from './focus.ts';
import {
  applyDraft,
  findEntryMissingInForm,
  missingValuesOf,
  offerOtherTabs,
  restoreForm,
  fieldNamesTypedInto,
} from './restore.ts';
import {
  cancelDraft,
  waitForLateDraft,
  finishDraftsAndCheckUnsaved,
  hasLateDraft,
  nextTypedAt,
  scheduleDraft,
  sendDrafts,
} from './server-drafts.ts';
import { shrinkPhotos } from './shrink-photos.ts';
import { isSharedComputer, formKey, viewerIdOfForm, viewerId } from './viewer.ts';

const LOGOUT_FAILED_TEXT = `Logout failed. ${texts.stillSignedIn}`;
const sayFailed = (text: string) => showToast({ title: 'Error', text, tone: 'destructive' });

/** Keeps what is typed into any form that posts, until it is sent. */
export function keepTyped(): void {
  const start = () => {
    sayIfLogOutFailed();
    if (isLoaded()) return restoreForms();
    // Somebody else may be signed in by then.
    loading ??= loadEntries().then(() => {
      loading = undefined;
      start();
    });
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
  window.addEventListener('submit', handleSent);
  startKeepingFocus();
  for (const type of ['click', 'visibilitychange']) document.addEventListener(type, sendBeforeLeaving, true);
  for (const type of ['pagehide', 'popstate']) window.addEventListener(type, sendBeforeLeaving, true);
  hear('formoutcome', handleOutcome);
  offerOtherTabs();
}

function sayIfLogOutFailed(): void {
  if (location.hash !== LOGOUT_FAILED_HASH) return;
  history.replaceState(history.state, '', location.pathname);
  sayFailed(LOGOUT_FAILED_TEXT);
}

const restored = new WeakSet<HTMLFormElement>();
/** Forms whose drafts are on their way. */
const awaited = new WeakSet<HTMLFormElement>();
let loading: Promise<void> | undefined;
/** Values that are only put back are not saved anew. */
let isRestoring = false;
let isLeaving = false;
const begunAnew = new WeakSet<HTMLFormElement>();

function restoreForms(): void {
  if (!isLoaded()) return;
  const last = lastSentForm();
  if (last) carryToNext(last);
  for (const form of document.forms) {
    if (!isKept(form) || restored.has(form)) continue;
    const outcome = form === last?.form ? (last.outcome ?? 'on its way') : undefined;
    if (outcome === 'on its way') continue;
    restored.add(form);
    if (outcome === 'sent') continue;
    isRestoring = true;
    adoptTypedCheckIn(form);
    restoreForm(form);
    isRestoring = false;
    for (const input of fileInputs(form)) savePhotos(formKey(form), input);
    restorePhotos(formKey(form), form);
    const isAwaited = !findEntry(formKey(form)) && hasLateDraft(form);
    if (isAwaited) void restoreLate(form);
    if (fieldNamesTypedInto(form).size > 0 || (!isAwaited && dirtyKeys(form).length > 0)) keep(form);
  }
}

/** A form that was sent and begins anew on its page gets what was typed into the former one since, and its focus. */
function carryToNext({ form, fields, outcome }: SentForm): void {
  if (outcome !== 'sent' || form.isConnected || begunAnew.has(form)) return;
  begunAnew.add(form);
  const next = document.getElementById(form.id);
  if (!(next instanceof HTMLFormElement)) return focusNextRow();
  if (formKey(next) !== textOf(fields, TYPED_FORM)) return;
  cancelDraft(formKey(next));
  deleteEntry(formKey(next));
  restored.add(next);
  const isTyped = carryTyped(form, next, fields);
  if (isTyped) keep(next);
  carryFocus(form, isTyped);
}

async function restoreLate(form: HTMLFormElement): Promise<void> {
  awaited.add(form);
  const draft = await waitForLateDraft(form);
  awaited.delete(form);
  if (draft) applyDraft(form, draft);
  if (dirtyKeys(form).length > 0) keep(form);
}

function handleInput({ target, type }: Event): void {
  if (isRestoring || !(target instanceof HTMLElement)) return;
  // The change of a text that loses its focus as its page goes comes at the next page's address.
  if (type === 'change' && !target.matches('[type=file]')) return;
  const form = target.closest('form');
  if (!form || !isKept(form)) return;
  if (target instanceof HTMLInputElement && target.type === 'file') void shrinkPhotos(target);
  fieldNamesTypedInto(form).add(target.getAttribute('name') ?? '');
  if (isLoaded()) {
    restoreForms();
    return keep(form);
  }
  // For the moment, the server is the one place where it can go before the page does.
  if (!isSharedComputer() && dirtyKeys(form).length > 0) scheduleDraft(form, dirtyKeys(form));
}

function keep(form: HTMLFormElement): void {
  const name = formKey(form);
  copyStepIntoOfflineForm(form);
  for (const input of fileInputs(form)) savePhotos(name, input);
  // As its form is on its way, what was typed before this page is not put back yet.
  const missing = restored.has(form) ? undefined : findEntryMissingInForm(form);
  const { requestId, touched: before = [] } = findEntry(name) ?? {};
  const touched = [...new Set([...before, ...dirtyKeys(form)])];
  if (touched.length === 0) return;
  saveEntry(name, {
    values: { ...readValues(form), ...(missing && missingValuesOf(missing, form)) },
    defaults: readDefaults(form),
    touched,
    subject: readSubject(form),
    at: Date.now(),
    ...(requestId !== undefined && { requestId }),
  });
  scheduleDraft(form, touched, awaited.has(form) || isBeingSent(form));
}

/** Such a form gets a draft only if it is refused. */
function isBeingSent(form: HTMLFormElement): boolean {
  const last = lastSentForm();
  return last?.form === form && (last.outcome ?? 'sent') === 'sent';
}

function handleSubmit(event: SubmitEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
  if (!navigator.onLine && !canBeAnswered(new URL(target.action))) {
    event.preventDefault();
    event.stopPropagation();
    const isLogOut = new URL(target.action).pathname === paths.logout;
    return sayFailed(isLogOut ? LOGOUT_FAILED_TEXT : texts.networkFailed);
  }
  if (!isKept(target)) return leaveNothing(event, target);
  const name = formKey(target);
  copyStepIntoOfflineForm(target);
  cancelDraft(name);
}

/** Once the router has taken it: if no answer comes, also because the page goes, it is sent again as the same request. */
function handleSent({ target }: SubmitEvent): void {
  const sent = lastSentForm();
  if (!sent || sent.form !== target || sent.outcome || !isKept(sent.form)) return;
  noteFocus();
  const [name, requestId] = [nameOf(sent), textOf(sent.fields, 'requestId')];
  const entry = findEntry(name);
  if (entry && requestId !== undefined) saveEntry(name, { ...entry, requestId });
}

/** A log-out removes everything from this device: drafts go first, and what no draft holds not unasked. */
function leaveNothing(event: SubmitEvent, form: HTMLFormElement): void {
  const isLogOut = new URL(form.action).pathname === paths.logout;
  if (!isLogOut || isLeaving || new FormData(form).has(DISCARDS_UNSENT)) return;
  event.preventDefault();
  event.stopPropagation();
  void finishDraftsAndCheckUnsaved().then((isLeft) => {
    if (isLeft) return location.assign(paths.logoutUnsent);
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

function handleOutcome(outcome: FormOutcome): void {
  const sent = lastSentForm();
  if (!sent || !isKept(sent.form)) return;
  if (!isLoaded() && loading) return void loading.then(() => handleOutcome(outcome));
  const { form, fields } = sent;
  const [name, requestId] = [nameOf(sent), textOf(fields, 'requestId')];
  if (outcome === 'sent') {
    deleteEntry(name);
    return forgetSteps(form);
  }
  // One that was sent before this script came.
  restoreForms();
  const entry = findEntry(name);
  if (!entry) return;
  const { requestId: _, ...rest } = entry;
  saveEntry(name, { ...rest, ...(outcome === 'unknown' && requestId !== undefined && { requestId }) });
  // Submitting it has put off the draft, which may not take the place of a form that waits.
  if (outcome !== 'waiting' && name === formKey(form)) scheduleDraft(form, entry.touched);
}

/** Without a network another screen's answer cannot come, but for what the service worker keeps and sends later. */
function canBeAnswered(url: URL): boolean {
  if (url.pathname === location.pathname) return true;
  const handling = serviceWorkers()?.controller && chooseHandling('POST', 'cors', url);
  return Boolean(handling) && handling !== 'log-out';
}

function sendBeforeLeaving(event: Event): void {
  if (event.type === 'click' && !(event.target instanceof Element && event.target.closest('a[href]'))) return;
  if (event.type === 'visibilitychange' && document.visibilityState === 'visible') return;
  sendDrafts();
}

/** A form that waits for the password names the form of another page. */
function nameOf({ form, fields }: SentForm): string {
  return textOf(fields, TYPED_FORM) ?? formKey(form);
}

function textOf(fields: FormData, name: string): string | undefined {
  const text = fields.get(name);
  return typeof text === 'string' ? text : undefined;
}

function isKept(form: HTMLFormElement): boolean {
  return form.method === 'post' && form.id !== '' && viewerIdOfForm(form) === viewerId();
}

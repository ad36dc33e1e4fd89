let focusedByReader: HTMLElement | undefined;
let focusedWhenSent: HTMLElement | undefined;
let row: Element | undefined;
let rowBeside: Element | null = null;

/** Keeps the focus from being lost with what has it, and leads it into folds. */
export function startKeepingFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target.tabIndex >= 0) focusedByReader = target;
    watchToast(target.closest('.toast'));
    row = (target.closest('.menu') ?? target).closest('main :is(li, tr)') ?? row;
    if (row?.isConnected) rowBeside = row.nextElementSibling ?? row.previousElementSibling;
  });
  document.addEventListener('click', openFold, true);
}

export function noteFocus(): void {
  focusedWhenSent = focusedByReader;
}

/** A form that begins anew on its page gets the focus of the former one if it was used since, and else its message. */
export function carryFocus(former: HTMLFormElement, isTyped: boolean): void {
  if (!isLost()) return;
  const isElsewhere = isTyped || focusedByReader !== focusedWhenSent;
  const isInForm = former.contains(focusedByReader ?? null) && !(focusedByReader instanceof HTMLButtonElement);
  if (focusedByReader && isInForm && isElsewhere) moveFocus(focusedByReader);
  else focusMessage();
}

export function focusNextRow(): void {
  if (isLost() && !row?.isConnected) rowBeside?.querySelector<HTMLElement>('a, button, summary')?.focus();
}

function isLost(): boolean {
  return document.activeElement?.matches('body, h1') === true;
}

function moveFocus(from: HTMLElement): void {
  const to = document.getElementById(from.id);
  to?.focus({ preventScroll: true });
  const isText = from instanceof HTMLInputElement && to instanceof HTMLInputElement && from.selectionStart !== null;
  if (isText) to.setSelectionRange(from.selectionStart, from.selectionEnd);
}

function focusMessage(): void {
  const toast = document.querySelector<HTMLElement>('main .toast');
  if (!toast) return;
  toast.tabIndex = -1;
  toast.focus({ preventScroll: true });
  const letsItClose = new FocusEvent('focusout');
  toast.dispatchEvent(letsItClose);
}

/** Gives the title the focus that a toast takes along when it closes. */
function watchToast(toast: Element | null): void {
  if (!toast?.parentElement) return;
  const observer = new MutationObserver(() => {
    if (toast.isConnected) return;
    observer.disconnect();
    if (isLost()) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
  observer.observe(toast.parentElement, { childList: true });
}

/** A field in a shut fold takes no focus: the link of its error opens the fold first. */
function openFold({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.error-summary a') : null;
  if (link) document.getElementById(link.hash.slice(1))?.closest('details')?.setAttribute('open', '');
}

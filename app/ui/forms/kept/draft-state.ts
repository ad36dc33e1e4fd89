export type DraftState = 'saved' | 'on device' | 'failed';

const EVENT = 'draftstate';

/** Says on the form whether what was typed is kept, and where. */
export function showDraftState(form: HTMLFormElement, state: DraftState): void {
  form.dispatchEvent(new CustomEvent(EVENT, { detail: state }));
}

/** Calls `handle` for each state; returns a function that stops it. */
export function onDraftState(form: HTMLElement, handle: (state: DraftState) => void): () => void {
  const listener = (event: Event) => event instanceof CustomEvent && handle(event.detail);
  form.addEventListener(EVENT, listener);
  return () => form.removeEventListener(EVENT, listener);
}

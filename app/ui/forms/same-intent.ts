/** Returns true if the form is sent as by this button. Enter uses a DefaultSubmitButton or no submitter. */
export function isSameIntent(submitter: HTMLElement | null, button: HTMLButtonElement): boolean {
  return !(submitter instanceof HTMLButtonElement) || intentOf(submitter) === intentOf(button);
}

export function intentOf(submitter: HTMLElement | null): string {
  return submitter instanceof HTMLButtonElement ? `${submitter.name}=${submitter.value}` : '=';
}

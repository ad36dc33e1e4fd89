/** Returns true if the form is sent as by this button. Enter uses a DefaultSubmitButton or no submitter. */
export function isSameIntent(submitter: HTMLElement | null, button: HTMLButtonElement): boolean {
  if (!(submitter instanceof HTMLButtonElement)) return true;
  return submitter.name === button.name && submitter.value === button.value;
}

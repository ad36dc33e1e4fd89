/** One that is 'waiting' is stored by the server until its sender has signed in or entered the password. */
export type FormOutcome = 'sent' | 'waiting' | 'refused' | 'mismatch' | 'unknown';

declare global {
  interface DocumentEventMap {
    formoutcome: CustomEvent<FormOutcome>;
  }
}

export function announceOutcome(outcome: FormOutcome): void {
  document.dispatchEvent(new CustomEvent('formoutcome', { detail: outcome }));
}

export function onFormOutcome(handle: (outcome: FormOutcome) => void): void {
  document.addEventListener('formoutcome', ({ detail }) => handle(detail));
}

import { useEffect, useState } from 'react';

/** Milliseconds without a key before what stands in the form is kept. */
const AUTOSAVE_DELAY_MS = 1000;

const MESSAGES = {
  untouched: '',
  kept: 'Not sent yet. What you typed is kept for 12 hours.',
  failed: 'Not sent yet, and without a connection not kept. What you typed is still here.',
};

interface AutosaveProps {
  /** The form's id. */
  formId: string;
  /** Where its text is posted to. */
  action: string;
}

/** With script: keeps a form's text on the server while it is typed, and says so. A form that is sent is left alone. */
export function Autosave({ formId: form, action: to }: AutosaveProps) {
  const [state, setState] = useState<keyof typeof MESSAGES>('untouched');

  useEffect(() => {
    const element = document.getElementById(form);
    if (!(element instanceof HTMLFormElement)) return;
    let timer: number | undefined;
    let sending = new AbortController();
    const stop = () => {
      window.clearTimeout(timer);
      timer = undefined;
      sending.abort();
      sending = new AbortController();
    };
    const keep = async () => {
      stop();
      const { signal } = sending;
      const answer = await fetch(to, { method: 'POST', body: textFieldsOf(element), keepalive: true, signal }).catch(
        () => undefined,
      );
      if (!signal.aborted) setState(answer?.ok ? 'kept' : 'failed');
    };
    const soon = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(keep, AUTOSAVE_DELAY_MS);
    };
    const beforeHidden = () => {
      if (timer !== undefined) void keep();
    };
    element.addEventListener('input', soon);
    element.addEventListener('submit', stop);
    document.addEventListener('visibilitychange', beforeHidden);
    return () => {
      stop();
      element.removeEventListener('input', soon);
      element.removeEventListener('submit', stop);
      document.removeEventListener('visibilitychange', beforeHidden);
    };
  }, [form, to]);

  return (
    <p className="hint" role="status">
      {MESSAGES[state]}
    </p>
  );
}

function textFieldsOf(form: HTMLFormElement): URLSearchParams {
  const text = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string');
  return new URLSearchParams(text);
}

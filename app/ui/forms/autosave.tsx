import { useEffect, useState } from 'react';
import { draftSavedText } from '#app/domain/texts.ts';
import { AUTOSAVE_DELAY_MS } from '#app/limits.ts';

const MESSAGES = {
  idle: '',
  saved: draftSavedText,
  failed: 'Not sent yet, and without a connection not kept. What you typed is still here.',
};

interface AutosaveProps {
  formId: string;
  action: string;
}

/** Saves the text of a form as a draft while it is edited, until it is submitted. */
export function Autosave({ formId, action }: AutosaveProps) {
  const [state, setState] = useState<keyof typeof MESSAGES>('idle');

  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    let timer: number | undefined;
    let request = new AbortController();
    const cancel = () => {
      window.clearTimeout(timer);
      timer = undefined;
      request.abort();
      request = new AbortController();
    };
    const save = async () => {
      cancel();
      const { signal } = request;
      const response = await fetch(action, {
        method: 'POST',
        body: textFieldsOf(form),
        keepalive: true,
        signal,
      }).catch(() => undefined);
      if (!signal.aborted) setState(response?.ok ? 'saved' : 'failed');
    };
    const scheduleSave = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void save(), AUTOSAVE_DELAY_MS);
    };
    const saveBeforeHidden = () => {
      if (timer !== undefined) void save();
    };
    const listeners = new AbortController();
    form.addEventListener('input', scheduleSave, { signal: listeners.signal });
    form.addEventListener('submit', cancel, { signal: listeners.signal });
    document.addEventListener('visibilitychange', saveBeforeHidden, { signal: listeners.signal });
    return () => {
      cancel();
      listeners.abort();
    };
  }, [formId, action]);

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

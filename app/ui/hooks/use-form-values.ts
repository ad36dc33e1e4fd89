import { useEffect, useState } from 'react';

/** Returns the form's text fields as they are typed; `initial` until then. */
export function useFormValues(formId: string, initial: Record<string, string>): Record<string, string> {
  const [values, setValues] = useState(initial);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return undefined;
    const listeners = new AbortController();
    const read = () => setValues(textFields(form));
    form.addEventListener('input', read, { signal: listeners.signal });
    form.addEventListener('change', read, { signal: listeners.signal });
    return () => listeners.abort();
  }, [formId]);
  return values;
}

function textFields(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

import { useActionData } from '@remix-run/react';
import { useEffect, useState } from 'react';

/** Whether anything was typed into the field's form since its last post was answered. */
export function useTypedSinceReply(fieldId: string): boolean {
  const reply: unknown = useActionData();
  const [typedAfter, setTypedAfter] = useState<{ reply: unknown }>();
  useEffect(() => {
    const form = document.getElementById(fieldId)?.closest('form');
    const listeners = new AbortController();
    form?.addEventListener('input', () => setTypedAfter({ reply }), { signal: listeners.signal });
    return () => listeners.abort();
  }, [fieldId, reply]);
  return typedAfter !== undefined && typedAfter.reply === reply;
}

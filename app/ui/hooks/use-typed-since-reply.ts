import { useActionData, useNavigation } from '@remix-run/react';
import { useEffect, useState } from 'react';

/** Returns true if anything was typed into the field's form after the post that was answered last was sent. */
export function useTypedSinceReply(fieldId: string): boolean {
  const reply: unknown = useActionData();
  const { state } = useNavigation();
  const [seen, setSeen] = useState({ reply, state, sent: 0, answered: 0 });
  if (seen.reply !== reply || seen.state !== state) {
    const sent = seen.state !== state && state === 'submitting' ? seen.sent + 1 : seen.sent;
    setSeen({ reply, state, sent, answered: seen.reply === reply ? seen.answered : sent });
  }
  const [typedAfter, setTypedAfter] = useState(-1);
  useEffect(() => {
    const form = document.getElementById(fieldId)?.closest('form');
    const listeners = new AbortController();
    form?.addEventListener('input', () => setTypedAfter(seen.sent), { signal: listeners.signal });
    return () => listeners.abort();
  }, [fieldId, seen.sent]);
  return typedAfter >= seen.answered;
}

import { useEffect, useState } from 'react';
import { draftSavedText } from '#app/domain/texts.ts';
import { type DraftState, hear } from '../news.ts';

const MESSAGES: Record<DraftState, string> = {
  saved: draftSavedText,
  'on device': 'Not sent yet. Without a connection, what you typed is kept on this device.',
  failed: 'Not sent yet, and without a connection not kept. What you typed is still here.',
};

/** Says whether what is typed into a form is kept. */
export function AutosaveStatus({ formId }: { formId: string }) {
  const [state, setState] = useState<DraftState>();
  useEffect(() => {
    const form = document.getElementById(formId);
    return form ? hear('draftstate', setState, form) : undefined;
  }, [formId]);
  return (
    <p className="hint" role="status">
      {state && MESSAGES[state]}
    </p>
  );
}

import { useEffect, useState } from 'react';
import { useLocation } from '@remix-run/react';
import { Button } from '../../button.tsx';
import { Notice } from '../../notice.tsx';
import type { OtherDraft } from './other-draft.ts';

/** Offers what was typed into the same form elsewhere. */
export function OtherDraftNotice() {
  const [draft, setDraft] = useState<OtherDraft>();
  const { key } = useLocation();
  useEffect(() => {
    const show = ({ detail }: CustomEvent<OtherDraft>) => setDraft(detail);
    document.addEventListener('otherdraft', show);
    return () => {
      setDraft(undefined);
      document.removeEventListener('otherdraft', show);
    };
  }, [key]);
  const useIt = () => {
    draft?.use();
    setDraft(undefined);
  };
  return (
    <div role="status">
      {draft && (
        <Notice
          tone="caution"
          action={
            <Button type="button" onClick={useIt}>
              Use that one
            </Button>
          }
        >
          {draft.text}
        </Notice>
      )}
    </div>
  );
}

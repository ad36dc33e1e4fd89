import { useLocation } from '@remix-run/react';
import { Button, Notice } from '#app/ui/elements.tsx';
import { useNews } from '../../news.ts';

/** Offers what was typed into the same form elsewhere. */
export function OtherDraftNotice() {
  const [draft, forget] = useNews('otherdraft', useLocation().key);
  const useIt = () => {
    draft?.use();
    forget();
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

import { useId, useState } from 'react';
import { Button } from '../elements.tsx';
import { useHydrated } from '../hooks/use-hydrated.ts';
import type { Toast } from './toast-region.tsx';

/** Shows a toast's link until the next navigation, unlike the toast; screens whose acts make links have it. */
export function LinkToCopy({ toast }: { toast: Toast | null }) {
  const id = useId();
  const url = toast?.link;
  if (url === undefined) return null;
  return (
    <div className="notice" data-tone="caution">
      <div className="field">
        <label htmlFor={id}>No mail server is set. Copy this link:</label>
        <input id={id} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </div>
      <CopyButton key={url} url={url} />
    </div>
  );
}

function CopyButton({ url }: { url: string }) {
  const isHydrated = useHydrated();
  const [isCopied, setIsCopied] = useState(false);
  if (!isHydrated || !('clipboard' in navigator)) return null;
  const copy = () => navigator.clipboard.writeText(url).then(() => setIsCopied(true));
  return (
    <Button type="button" onClick={() => void copy().catch(() => {})}>
      {isCopied ? 'Copied' : 'Copy link'}
    </Button>
  );
}

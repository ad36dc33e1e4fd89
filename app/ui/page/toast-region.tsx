import { useEffect, useRef, useState, type RefObject } from 'react';
import { TOAST_DURATION_MS } from '#app/limits.ts';
import { useHydrated } from '../hooks/use-hydrated.ts';
import { tell, type Toast, useNews } from '../news.ts';
import { Reference } from './reference.tsx';

export type { Toast };

/** Replaces the current toast from the browser, until the server's next response. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  tell('toast', { ...toast, id: `shown-${Date.now()}` });
}

/** A live region: the server renders the toast as a banner, which floats and closes by itself after hydration. */
export function ToastRegion({ toast }: { toast: Toast | null }) {
  const isHydrated = useHydrated();
  // The region starts empty after a navigation: screen readers announce only what is added to it.
  const [isReady, setIsReady] = useState(!isHydrated);
  const [closedId, setClosedId] = useState<string>();
  useEffect(() => setIsReady(true), []);
  const latest = useNews('toast', toast?.id)[0] ?? toast;

  const visible = latest && isReady && latest.id !== closedId ? latest : null;
  return (
    <div className="toast-region" role={latest?.tone === 'destructive' ? 'alert' : 'status'}>
      {visible && (
        <ToastBox key={visible.id} toast={visible} isFloating={isHydrated} onClose={() => setClosedId(visible.id)} />
      )}
    </div>
  );
}

function ToastBox({ toast, isFloating, onClose }: { toast: Toast; isFloating: boolean; onClose: () => void }) {
  const boxRef = useRef<HTMLDivElement>(null);
  useAutoClose(boxRef, onClose);
  return (
    <div ref={boxRef} className="toast" data-tone={toast.tone} data-floating={isFloating ? '' : undefined}>
      <div>
        <p className="toast-title">{toast.title}</p>
        {toast.text && <p>{toast.text}</p>}
        {toast.reference && <Reference to={toast.reference} />}
      </div>
      {isFloating && (
        <button type="button" className="toast-close" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}

/** Closes the toast on Escape, or after TOAST_DURATION_MS without pointer or focus on it. */
function useAutoClose(boxRef: RefObject<HTMLElement>, onClose: () => void) {
  const onCloseRef = useRef(onClose);
  onCloseRef.current = onClose;

  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    let remainingMs = TOAST_DURATION_MS;
    let startedAt = Date.now();
    let timer = setTimeout(() => onCloseRef.current(), remainingMs);
    // Firefox still matches ':hover' while it says that the pointer has left.
    const holds = new Set<'pointer' | 'focus'>();
    const hold = (by: 'pointer' | 'focus') => {
      if (holds.size === 0) {
        clearTimeout(timer);
        remainingMs -= Date.now() - startedAt;
      }
      holds.add(by);
    };
    const release = (by: 'pointer' | 'focus') => {
      if (!holds.delete(by) || holds.size > 0) return;
      startedAt = Date.now();
      timer = setTimeout(() => onCloseRef.current(), remainingMs);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    box.addEventListener('pointerenter', () => hold('pointer'), { signal });
    box.addEventListener('pointerleave', () => release('pointer'), { signal });
    box.addEventListener('focusin', () => hold('focus'), { signal });
    box.addEventListener('focusout', () => release('focus'), { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && onCloseRef.current(), { signal });
    return () => {
      clearTimeout(timer);
      listeners.abort();
    };
  }, [boxRef]);
}

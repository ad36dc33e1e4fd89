import { useEffect, useRef, useState, type RefObject } from 'react';
import { useHydrated } from '../hooks/use-hydrated.ts';

export interface Toast {
  id: string;
  title: string;
  text?: string;
  tone: 'default' | 'destructive';
}

declare global {
  interface DocumentEventMap {
    toast: CustomEvent<Toast>;
  }
}

/** Shows a toast of the page's own script, in the place of the one there is; the page's next answer takes it away. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  document.dispatchEvent(new CustomEvent('toast', { detail: { ...toast, id: `shown-${Date.now()}` } }));
}

const TOAST_DURATION_MS = 5000;

/**
 * The one message of the moment (spec §9), in a live region. The server renders it as a banner that stays until the
 * next page; script makes it a toast that leaves after 5000 ms, waits under pointer and focus, and closes on Escape.
 */
export function ToastRegion({ toast }: { toast: Toast | null }) {
  const hydrated = useHydrated();
  // A region that a navigation brings in starts empty: readers announce what enters a region, not the region itself.
  const [open, setOpen] = useState(!hydrated);
  const [closed, setClosed] = useState<string>();
  useEffect(() => setOpen(true), []);
  const latest = useClientToast(toast) ?? toast;

  const shown = latest && open && latest.id !== closed ? latest : null;
  return (
    <div className="toast-region" role={latest?.tone === 'destructive' ? 'alert' : 'status'}>
      {shown && <ToastBox key={shown.id} toast={shown} floats={hydrated} close={() => setClosed(shown.id)} />}
    </div>
  );
}

/** What script has shown since the page's last answer. */
function useClientToast(given: Toast | null): Toast | undefined {
  const [shown, setShown] = useState<Toast>();
  useEffect(() => {
    setShown(undefined);
    const listening = new AbortController();
    document.addEventListener('toast', ({ detail }) => setShown(detail), { signal: listening.signal });
    return () => listening.abort();
  }, [given?.id]);
  return shown;
}

function ToastBox({ toast, floats, close }: { toast: Toast; floats: boolean; close: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useTimedClose(box, close);
  return (
    <div ref={box} className="toast" data-tone={toast.tone} data-floating={floats ? '' : undefined}>
      <div>
        <p className="toast-title">{toast.title}</p>
        {toast.text && <p>{toast.text}</p>}
      </div>
      {floats && (
        <button type="button" className="toast-close" aria-label="Close" onClick={close}>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}

/** Closes after SHOWN_MS in all, not counting the time under pointer or focus, or at once on Escape. */
function useTimedClose(box: RefObject<HTMLElement>, close: () => void) {
  const latest = useRef(close);
  latest.current = close;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const listening = new AbortController();
    const on = (target: EventTarget, types: string[], listener: (event: Event) => void) =>
      types.forEach((type) => target.addEventListener(type, listener, { signal: listening.signal }));

    let left = TOAST_DURATION_MS;
    let since = Date.now();
    let timer = setTimeout(() => latest.current(), left);
    let held = false;
    const hold = () => {
      if (held) return;
      held = true;
      clearTimeout(timer);
      left -= Date.now() - since;
    };
    const release = () => {
      if (!held || element.matches(':hover, :focus-within')) return;
      held = false;
      since = Date.now();
      timer = setTimeout(() => latest.current(), left);
    };
    on(element, ['pointerenter', 'focusin'], hold);
    on(element, ['pointerleave'], release);
    on(element, ['focusout'], () => queueMicrotask(release));
    on(document, ['keydown'], (event) => event instanceof KeyboardEvent && event.key === 'Escape' && latest.current());
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [box]);
}

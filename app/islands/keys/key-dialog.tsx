import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';

interface KeyDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that gives the focus back, when it closes, to what had it. */
export function KeyDialog({ title, onClose, children }: KeyDialogProps) {
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector('input')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className="dialog" data-size="small" aria-labelledby={titleId} onClose={onClose}>
      <div className="card-header">
        <h2 id={titleId}>{title}</h2>
        <Button type="button" variant="quiet" onClick={() => ref.current?.close()}>
          Close
        </Button>
      </div>
      {children}
    </dialog>
  );
}

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Button } from '#app/ui/elements.tsx';

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <KeyDialog title="Keys" onClose={onClose}>
      <dl className="key-list">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        Single keys can be turned off in{' '}
        <Link to={paths.account} onClick={onClose}>
          your account
        </Link>
        .
      </p>
    </KeyDialog>
  );
}

const KEYS = [
  ['/', 'Jump to an aircraft, a person or a flight'],
  ['?', 'Show the keys'],
  ['Esc', 'Close a dialog or a menu'],
];

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

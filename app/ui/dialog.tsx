import { useId, type ReactNode } from 'react';
import { Link } from './link.tsx';
import { useModal } from './hooks/use-modal.ts';

interface DialogProps {
  title: string;
  closeHref: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A dialog with a URL of its own. It belongs in `beforeTitle` of Screen, with a `key` if one can replace another. */
export function Dialog({ title, closeHref, actions, children }: DialogProps) {
  const titleId = useId();
  const ref = useModal(closeHref);
  return (
    <dialog open ref={ref} className="dialog" aria-labelledby={titleId}>
      <div className="card-header">
        {/* Moves the focus to the dialog without JavaScript too. */}
        <h2 id={titleId} tabIndex={-1} autoFocus data-initial-focus>
          {title}
        </h2>
        <Link className="button" data-variant="quiet" to={closeHref} preventScrollReset>
          Close
        </Link>
      </div>
      {children}
      {actions && <div className="card-footer actions">{actions}</div>}
    </dialog>
  );
}

import { useId, type ReactNode } from 'react';
import { Link } from '@remix-run/react';
import { useModal } from './hooks/use-modal.ts';

interface DialogProps {
  title: string;
  /** The page without the dialog. */
  closeHref: string;
  /** Below the body. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * A dialog with an address of its own, rendered open by the server; script makes it modal. Goes into `lead` of Screen.
 * Give it `key` when one dialog can follow another; its opener is a link with `preventScrollReset`.
 */
export function Dialog({ title, closeHref, actions, children }: DialogProps) {
  const titleId = useId();
  const ref = useModal(closeHref);
  return (
    <dialog open ref={ref} className="dialog" aria-labelledby={titleId}>
      <div className="card-header">
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- without script this is how the dialog is found at once */}
        <h2 id={titleId} tabIndex={-1} autoFocus data-first-focus>
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

import { useId } from 'react';
import { Form, Link } from '@remix-run/react';
import { HiddenField } from './forms/hidden-field.tsx';
import { SubmitButton } from './forms/submit-button.tsx';
import { useModal } from './hooks/use-modal.ts';

interface ConfirmDialogProps {
  title?: string;
  text: string;
  confirmLabel: string;
  /** The pending text of the confirming button. */
  pendingLabel?: string;
  /** The page without the dialog. */
  cancelHref: string;
  /** Where the form posts to; this page when absent. */
  action?: string;
  /** What the form posts: intent, id, requestId. */
  formValues: Record<string, string>;
}

/**
 * Asks before something is destroyed (C71): the page at `?confirm=…`, modal with script. Goes into `lead` of Screen.
 * Cancel has the focus, so that Enter pressed twice destroys nothing.
 */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  pendingLabel: pending,
  cancelHref,
  action,
  formValues: fields,
}: ConfirmDialogProps) {
  const id = useId();
  const ref = useModal(cancelHref);
  const question = (
    <p id={`${id}text`} className="confirm-text">
      {text}
    </p>
  );
  return (
    <dialog
      open
      ref={ref}
      className="dialog"
      data-size="small"
      role="alertdialog"
      aria-labelledby={title ? `${id}title` : `${id}text`}
      aria-describedby={title ? `${id}text` : undefined}
    >
      {title && <h2 id={`${id}title`}>{title}</h2>}
      {question}
      <Form method="post" action={action} className="actions" preventScrollReset>
        {Object.entries(fields).map(([name, value]) => (
          <HiddenField key={name} name={name} value={value} />
        ))}
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the safe answer takes the focus, also without script */}
        <Link className="button" to={cancelHref} preventScrollReset autoFocus data-first-focus>
          Cancel
        </Link>
        <SubmitButton variant="danger" pendingLabel={pending}>
          {confirmLabel}
        </SubmitButton>
      </Form>
    </dialog>
  );
}

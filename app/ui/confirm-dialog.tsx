import { useId } from 'react';
import { Link } from './link.tsx';
import { HiddenField } from './forms/fields.tsx';
import { ActForm, SubmitButton } from './forms/form.tsx';
import { useModal } from './hooks/use-modal.ts';

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  pendingLabel?: string;
  cancelHref: string;
  action?: string;
  formValues: Record<string, string>;
}

/** Asks for confirmation at the page's `?confirm=` URL; belongs in `beforeTitle` of Screen. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirmLabel, pendingLabel, cancelHref, action, formValues } = props;
  const id = useId();
  const ref = useModal(cancelHref);
  return (
    <dialog
      open
      ref={ref}
      className="dialog"
      data-size="small"
      role="alertdialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <h2 id={`${id}title`}>{title}</h2>
      <p id={`${id}text`}>{text}</p>
      <ActForm action={action} className="actions" preventScrollReset>
        {Object.entries(formValues).map(([name, value]) => (
          <HiddenField key={name} name={name} value={value} />
        ))}
        {/* Pressing Enter twice must delete nothing. */}
        <Link className="button" to={cancelHref} preventScrollReset autoFocus data-initial-focus>
          Cancel
        </Link>
        <SubmitButton variant="danger" pendingLabel={pendingLabel}>
          {confirmLabel}
        </SubmitButton>
      </ActForm>
    </dialog>
  );
}

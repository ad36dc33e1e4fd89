import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { useNavigation } from '@remix-run/react';
import { Button } from '../button.tsx';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The text while the form is on its way, such as 'Logging in...'. */
  pendingLabel?: string;
};

/**
 * Sends its form. With script it shows the pending text of its own form, and the form takes no second press meanwhile;
 * the button stays focusable, so it is not `disabled`.
 */
export function SubmitButton({ children, pendingLabel: pending, variant = 'primary', ...rest }: SubmitButtonProps) {
  const place = useRef<HTMLSpanElement>(null);
  const { state } = useNavigation();
  const [sent, setSent] = useState(false);
  const busy = sent && state !== 'idle';

  useEffect(() => {
    if (state === 'idle') setSent(false);
  }, [state]);

  useEffect(() => {
    const button = place.current?.closest('button');
    const form = button?.form;
    if (!form) return;
    const onSubmit = (event: SubmitEvent) => {
      if (!isSameIntent(event.submitter, button)) return;
      if (busy) event.preventDefault();
      else setSent(true);
    };
    form.addEventListener('submit', onSubmit);
    return () => form.removeEventListener('submit', onSubmit);
  }, [busy]);

  return (
    <Button {...rest} variant={variant} aria-disabled={busy || rest['aria-disabled']}>
      <span ref={place}>{busy && pending ? pending : children}</span>
    </Button>
  );
}

/**
 * What Enter in a field presses: comes before the other buttons of a form whose main one is not the first, and is seen
 * by nobody. `name` and `value` as on the main SubmitButton; `form` where a button outside the form comes before it.
 */
export function DefaultSubmitButton(props: { name?: string; value?: string; form?: string }) {
  return <button {...props} type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />;
}

/** A form is also sent by Enter, without a button or through an EnterButton. */
function isSameIntent(submitter: HTMLElement | null, button: HTMLButtonElement): boolean {
  if (!(submitter instanceof HTMLButtonElement)) return true;
  return submitter.name === button.name && submitter.value === button.value;
}

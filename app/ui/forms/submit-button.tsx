import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { useNavigation } from '@remix-run/react';
import { Button } from '../button.tsx';
import { isSameIntent } from './same-intent.ts';

type SubmitButtonProps = ComponentProps<typeof Button> & { pendingLabel?: string | undefined };

/** Prevents a second submit while the first is pending. It is not `disabled` then, so that it keeps the focus. */
export function SubmitButton({ children, pendingLabel, variant = 'primary', ...rest }: SubmitButtonProps) {
  const labelRef = useRef<HTMLSpanElement>(null);
  const { state } = useNavigation();
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isPending = isSubmitted && state !== 'idle';

  useEffect(() => {
    if (state === 'idle') setIsSubmitted(false);
  }, [state]);

  useEffect(() => {
    const button = labelRef.current?.closest('button');
    const form = button?.form;
    if (!form) return;
    const handleSubmit = (event: SubmitEvent) => {
      if (!isSameIntent(event.submitter, button)) return;
      if (!isPending) return setIsSubmitted(true);
      event.preventDefault();
      // What watches sent forms would wait for the answer of this press.
      event.stopPropagation();
    };
    form.addEventListener('submit', handleSubmit);
    return () => form.removeEventListener('submit', handleSubmit);
  }, [isPending]);

  return (
    <Button {...rest} variant={variant} aria-disabled={isPending || rest['aria-disabled']}>
      <span ref={labelRef}>{isPending && pendingLabel ? pendingLabel : children}</span>
    </Button>
  );
}

/** Comes first in a form whose main button does not, so that Enter submits with the main button's intent. */
export function DefaultSubmitButton(props: { name?: string; value?: string; form?: string }) {
  return <button {...props} type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />;
}

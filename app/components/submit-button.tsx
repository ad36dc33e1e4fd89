import { useEffect, useState, type ComponentProps } from 'react';
import { useNavigation } from '@remix-run/react';
import { Button } from './button.tsx';

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The text while the form is on its way, such as 'Logging in...'. */
  pending?: string;
};

/**
 * Sends its form. With script it shows the pending text of the form it was pressed in, and takes no second press
 * meanwhile; it stays focusable, so it is not `disabled`.
 */
export function SubmitButton({ children, pending, variant = 'primary', onClick, ...rest }: SubmitButtonProps) {
  const { state } = useNavigation();
  const [pressed, setPressed] = useState(false);
  const busy = pressed && state !== 'idle';

  useEffect(() => {
    if (state === 'idle') setPressed(false);
  }, [state]);

  return (
    <Button
      {...rest}
      variant={variant}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={(event) => {
        if (busy) return event.preventDefault();
        setPressed(true);
        onClick?.(event);
      }}
    >
      {busy && pending ? pending : children}
    </Button>
  );
}

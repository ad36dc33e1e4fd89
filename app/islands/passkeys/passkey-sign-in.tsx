import { useState, type MouseEvent } from 'react';
import { Button, Notice } from '#app/ui/elements.tsx';
import { PasskeyError, signIn } from './ask-passkey.ts';

/** Stands in the form of the sign-in screen, whose choice of a shared computer counts here, too. */
export function PasskeySignIn() {
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState('');

  const press = async ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (isPending) return;
    setIsPending(true);
    setProblem('');
    const isShared = form !== null && new FormData(form).has('sharedComputer');
    const to = new URLSearchParams(window.location.search).get('to') ?? '/';
    try {
      window.location.assign(await signIn(to, isShared));
    } catch (error) {
      if (!(error instanceof PasskeyError)) throw error;
      setProblem(error.message);
      setIsPending(false);
    }
  };

  return (
    <>
      <Button type="button" aria-disabled={isPending} onClick={(event) => void press(event)}>
        {isPending ? 'Waiting for your passkey...' : 'Sign in with a passkey'}
      </Button>
      <div role="alert">{problem && <Notice tone="danger">{problem}</Notice>}</div>
    </>
  );
}

import type { ReactNode } from 'react';
import type { ErrorResponse } from '@remix-run/react';
import { ButtonLink } from '../button.tsx';
import { Screen } from './screen.tsx';

interface ErrorPageProps {
  title: string;
  text: string;
  /** What to do about it. */
  advice?: string;
  action?: ReactNode;
}

/** A page that could not be shown: `<Failure title="Error Loading Flight Log" text="Failed to load flight log" />`. */
export function ErrorPage({ title, text, advice, action }: ErrorPageProps) {
  return (
    <Screen title={title} width="form">
      <p>{text}</p>
      {advice && <p>{advice}</p>}
      <div className="actions">
        {action}
        <ButtonLink to="/">Back to Dashboard</ButtonLink>
      </div>
    </Screen>
  );
}

/**
 * A page that its loader or action refused, in the form of spec §8: '403: Forbidden' with the server's words; from 500
 * on '503: Service Unavailable', and the words below.
 */
export function ResponseErrorPage({ error: { status, statusText, data } }: { error: ErrorResponse }) {
  const words = String(data);
  if (status >= 500) return <ErrorPage title="Error" text={`${status}: ${statusText}`} advice={words} />;
  // A 405 is the router's, whose words are for developers.
  return <ErrorPage title="Error" text={`${status}: ${status === 405 ? statusText : words}`} />;
}

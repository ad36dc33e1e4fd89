import type { ReactNode } from 'react';
import type { ErrorResponse } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '../button.tsx';
import { ReferenceOfPage } from './reference.tsx';
import { Screen } from './screen.tsx';

interface ErrorPageProps {
  title: string;
  text: string;
  advice?: string;
  action?: ReactNode;
}

export function ErrorPage({ title, text, advice, action }: ErrorPageProps) {
  return (
    <Screen title={title} width="form">
      <p>{text}</p>
      {advice && <p>{advice}</p>}
      <div className="actions">
        {action}
        <ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>
      </div>
      <ReferenceOfPage />
    </Screen>
  );
}

/** Shows an error response: '403: Forbidden', or from 500 on the status text and the message below it. */
export function ResponseErrorPage({ error: { status, statusText, data } }: { error: ErrorResponse }) {
  const message = String(data);
  if (status >= 500) return <ErrorPage title="Error" text={`${status}: ${statusText}`} advice={message} />;
  // The router itself answers 405, with a message for developers.
  return <ErrorPage title="Error" text={`${status}: ${status === 405 ? statusText : message}`} />;
}

export function ConflictPage({ text }: { text: string }) {
  return <ErrorPage title="Error" text={`409: ${text}`} />;
}

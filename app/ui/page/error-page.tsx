import type { ReactNode } from 'react';
import { type ErrorResponse, useLocation } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '../button.tsx';
import { ReferenceOfPage } from './reference.tsx';
import { Screen } from './screen.tsx';

interface ErrorPageProps {
  title: string;
  text: string;
  advice?: string | undefined;
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
  return <RefusedPage status={status} message={status === 405 ? statusText : message} />;
}

/** Says what to do about an address that this reader may not see, or that cannot be understood. */
function RefusedPage({ status, message }: { status: number; message: string }) {
  const { pathname, search } = useLocation();
  const startOver = search !== '' && <ButtonLink to={pathname}>Open the Page Without Filters</ButtonLink>;
  return (
    <ErrorPage
      title="Error"
      text={`${status}: ${message}`}
      advice={ADVICE[status]}
      action={status === 400 ? startOver : undefined}
    />
  );
}

const ADVICE: Record<number, string> = {
  400: 'Something in this address cannot be read. Go back to change it, or open the page without it.',
  403: 'Your role does not include this. Ask an administrator of your school to do it, or to change your role.',
};

export function ConflictPage({ text }: { text: string }) {
  return <ErrorPage title="Error" text={`409: ${text}`} />;
}

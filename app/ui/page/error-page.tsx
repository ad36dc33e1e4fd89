import type { ReactNode } from 'react';
import { type ErrorResponse, useLocation } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '../elements.tsx';
import { ReferenceOfPage } from './reference.tsx';
import { Screen } from './screen.tsx';

interface ErrorPageProps {
  title: string;
  text: string;
  advice?: ReactNode;
  action?: ReactNode;
}

export function ErrorPage({ title, text, advice, action }: ErrorPageProps) {
  return (
    <Screen title={title} width="form">
      <p>{text}</p>
      {typeof advice === 'string' ? <p>{advice}</p> : advice}
      <div className="actions">
        {action}
        <ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>
      </div>
      <ReferenceOfPage />
    </Screen>
  );
}

/** Shows an error response: '403: Forbidden' with what to do, or from 500 on the status text and the message below it. */
export function ResponseErrorPage({ error: { status, statusText, data } }: { error: ErrorResponse }) {
  const { pathname, search } = useLocation();
  const message = String(data);
  if (status >= 500) return <ErrorPage title="Error" text={`${status}: ${statusText}`} advice={message} />;
  if (status === 404) return <NotFoundPage />;
  const startOver = status === 400 && search !== '';
  return (
    <ErrorPage
      title="Error"
      // The router itself answers 405, with a message for developers.
      text={`${status}: ${status === 405 ? statusText : message}`}
      advice={ADVICE[status]}
      action={startOver && <ButtonLink to={pathname}>Open the Page Without Filters</ButtonLink>}
    />
  );
}

interface NotFoundPageProps {
  gone?: string;
  typed?: string[];
}

export function NotFoundPage({ gone, typed = [] }: NotFoundPageProps) {
  const text = 'There is nothing at this address, or no more.';
  const kept = (
    <>
      <p>What you entered was not saved:</p>
      <ul className="note-list">
        {typed.map((value, at) => (
          <li key={at}>{value}</li>
        ))}
      </ul>
    </>
  );
  return (
    <ErrorPage
      title={texts.pageNotFound}
      text={gone === undefined ? text : `${gone}. ${text}`}
      advice={typed.length > 0 && kept}
      action={<ButtonLink to={paths.search}>Search</ButtonLink>}
    />
  );
}

const ADVICE: Record<number, string> = {
  400: 'Something in this address cannot be read.',
  403: 'Your role does not include this. Ask an administrator of your school.',
};

export function ConflictPage({ text }: { text: string }) {
  return <ErrorPage title="Error" text={`409: ${text}`} />;
}

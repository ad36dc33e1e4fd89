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
  advice?: string | undefined;
  action?: ReactNode;
  children?: ReactNode;
}

export function ErrorPage({ title, text, advice, action, children }: ErrorPageProps) {
  return (
    <Screen title={title} width="form">
      <p>{text}</p>
      {advice && <p>{advice}</p>}
      {children}
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
      advice={message === texts.crossOrigin ? CROSS_ORIGIN_ADVICE : ADVICE[status]}
      action={startOver && <ButtonLink to={pathname}>Open the Page Without Filters</ButtonLink>}
    />
  );
}

export function NotFoundPage({ gone = '', children }: { gone?: string; children?: ReactNode }) {
  return (
    <ErrorPage
      title={texts.pageNotFound}
      text={`${gone}There is nothing at this address, or no more.`}
      action={<ButtonLink to={paths.search}>Search</ButtonLink>}
    >
      {children}
    </ErrorPage>
  );
}

const ADVICE: Record<number, string> = {
  400: 'Something in this address cannot be read.',
  403: 'Your role does not include this. Ask an administrator of your school.',
};
const CROSS_ORIGIN_ADVICE = 'Open the page from here and send it again.';

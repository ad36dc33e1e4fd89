import { isRouteErrorResponse, useActionData, useRouteError } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import type { FormReply } from '../forms/form.tsx';
import { ErrorPage, NotFoundPage, ResponseErrorPage } from './error-page.tsx';
import { NotSavedEntries } from './not-saved-entries.tsx';

/** The page of a form whose aircraft, inspection or the like is gone meanwhile: says what is, and shows what was typed. */
export function GoneBoundary() {
  const error = useRouteError();
  const reply = useActionData<FormReply>();
  if (!isRouteErrorResponse(error)) return <ErrorPage title="Error" text={texts.unexpected} />;
  if (error.status !== 404) return <ResponseErrorPage error={error} />;
  return (
    <NotFoundPage gone={`${error.data}. `}>
      <NotSavedEntries reply={reply} />
    </NotFoundPage>
  );
}

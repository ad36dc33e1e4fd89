import type { SubmissionResult } from '@conform-to/react';
import { isRouteErrorResponse, useActionData, useRouteError } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { BUTTON_FIELDS } from '#app/button-fields.ts';
import { ErrorPage, NotFoundPage, ResponseErrorPage } from './error-page.tsx';

/** The page of a form whose aircraft, inspection or the like is gone meanwhile: says what is, and shows what was typed. */
export function GoneBoundary() {
  const error = useRouteError();
  const reply = useActionData<{ result?: Pick<SubmissionResult, 'initialValue'> }>();
  if (!isRouteErrorResponse(error)) return <ErrorPage title="Error" text={texts.unexpected} />;
  if (error.status !== 404) return <ResponseErrorPage error={error} />;
  const typed = typedTexts(reply?.result?.initialValue ?? {});
  return (
    <NotFoundPage gone={`${error.data}. `}>
      {typed.length > 0 && (
        <>
          <p>What you entered was not saved:</p>
          <ul className="note-list">
            {typed.map((value, at) => (
              <li key={at}>{value}</li>
            ))}
          </ul>
        </>
      )}
    </NotFoundPage>
  );
}

/** Without ticks, and without what the form holds by itself. */
function typedTexts(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && value !== 'on' && !BUTTON_FIELDS.test(name) ? [value] : [],
  );
}

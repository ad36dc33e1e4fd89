import type { SubmissionResult } from '@conform-to/react';
import { isRouteErrorResponse, useActionData, useRouteError } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { BUTTON_FIELDS } from '#app/button-fields.ts';
import { ErrorPage, NotFoundPage, ResponseErrorPage } from './error-page.tsx';

/** The page of a form whose aircraft, inspection or the like is gone meanwhile: says what is, and shows what was typed. */
export function GoneBoundary() {
  const error = useRouteError();
  const reply = useActionData<SentForm>();
  if (!isRouteErrorResponse(error)) return <ErrorPage title="Error" text={texts.unexpected} />;
  if (error.status !== 404) return <ResponseErrorPage error={error} />;
  return (
    <NotFoundPage gone={`${error.data}. `}>
      <NotSaved reply={reply} />
    </NotFoundPage>
  );
}

interface SentForm {
  result?: Pick<SubmissionResult, 'initialValue'> | null;
}

/** Shows what was typed into a form that came to nothing. */
export function NotSaved({ reply }: { reply: SentForm | undefined }) {
  const typed = typedTexts(reply?.result?.initialValue ?? {});
  if (typed.length === 0) return null;
  return (
    <>
      <p>What you entered was not saved:</p>
      <ul className="note-list">
        {typed.map((value, at) => (
          <li key={at} className="user-text">
            {value}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Without ticks, and without what the form holds by itself. */
function typedTexts(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && value !== 'on' && !BUTTON_FIELDS.test(name) ? [value] : [],
  );
}

import type { SubmissionResult } from '@conform-to/react';
import { isRouteErrorResponse, useActionData, useRouteError } from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { DescriptionList } from '../elements.tsx';
import { ErrorPage, NotFoundPage, ResponseErrorPage } from './error-page.tsx';
import { typedValues } from './typed-values.tsx';

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
  const values = Object.entries(reply?.result?.initialValue ?? {});
  const typed = typedValues(values.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  if (typed.length === 0) return null;
  return (
    <>
      <p>What you entered was not saved:</p>
      <DescriptionList items={typed} />
    </>
  );
}

import { useActionData, useLoaderData } from '@remix-run/react';
import { importFormSchema } from '#app/domain/imports/schema.server.ts';
import { importTexts } from '#app/domain/imports/import-texts.server.ts';
import { paths } from '#app/paths.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { ButtonLink, Stack, Notice } from '#app/ui/elements.tsx';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import type { FormField } from '#app/ui/forms/fields.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { ImportActions, ImportProgress, UndoQuestion } from './import-actions.tsx';
import { requireImportOfSchool, runIntent } from './change-import.server.ts';
import { type ImportChoices, loadImportPage } from './import-page.server.ts';
import { QuestionsCard, FileReadingCard } from './choice-cards.tsx';
import { MovingInCard, PreviewCard } from './preview-card.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Import');

export const loader = authedLoader({
  can: 'manage school',
  ids: { id: importTexts.notFound },
  load: ({ actor, params, url }) => loadImportPage(actor, params.id, url),
});

export const action = authedFormAction({
  can: 'manage school',
  ids: { id: importTexts.notFound },
  schema: importFormSchema,
  failed: importTexts.failed,
  precheck: ({ actor, params }) => requireImportOfSchool(actor, params.id),
  run: ({ actor, params, input, requestId }) => runIntent(actor, params.id, input, requestId),
});

/** Columns are named by their place, answers by the key of their question. */
type Fields = Record<`columns.${string}` | `answers.${string}`, string> &
  Record<'kind' | 'sheet' | keyof ImportChoices['options'], string>;

export default function ImportedFile() {
  const { view, preview, choice, movingIn, asksUndo, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const isReading = reply?.result?.initialValue?.intent === 'check';
  const [answers, answerFields] = useForm<Fields>({
    id: 'choice',
    lastResult: isReading ? undefined : reply?.result,
    defaultValue: movingIn ? { answers: movingIn.proposed } : undefined,
  });
  const questions = choice?.questions ?? movingIn?.questions ?? [];
  const isReady = movingIn ? questions.length === 0 : choice?.obstacle === null;
  const [reading, readingFields] = useForm<Fields>({
    id: 'choice-reading',
    lastResult: isReading ? reply?.result : undefined,
    defaultValue: choice?.values,
  });
  return (
    <Screen
      title="Import"
      subtitle={`${view.fileName}: ${view.kind}`}
      showBackLink
      beforeTitle={
        <>
          <ErrorSummary form={isReading ? reading : answers} />
          {asksUndo && <UndoQuestion view={view} requestId={requestId} />}
        </>
      }
      toast={useToast(reply)}
      actions={<ButtonLink to={paths.imports}>All Imports</ButtonLink>}
    >
      <Stack>
        {view.isBusy && <ImportProgress view={view} />}
        {view.failure !== null && <Notice tone="danger">{view.failure}</Notice>}
        {choice && choice.questions.length === 0 && choice.obstacle !== null && (
          <Notice tone="info">{choice.obstacle}</Notice>
        )}
        {view.isWhole && view.state === 'applied' && (
          <Notice tone="info" action={<ButtonLink to={paths.users}>Users</ButtonLink>}>
            Everybody but you came without a password: send each of them a link from their page.
          </Notice>
        )}
        <ImportActions
          view={view}
          isReady={isReady}
          isAnswered={choice?.isAnswered ?? movingIn?.you !== undefined}
          requestId={requestId}
        />
        {questions.length > 0 && (
          <QuestionsCard
            key={`questions ${requestId}`}
            formId={answers.id}
            fieldOf={fieldIn(answerFields)}
            {...(movingIn && { title: 'Who Is Who', subtitle: 'Nothing is imported before.' })}
            questions={questions}
            requestId={requestId}
          />
        )}
        {movingIn && <MovingInCard movingIn={movingIn} />}
        {!movingIn && questions.length === 0 && <PreviewCard view={view} preview={preview} />}
        {choice && !choice.isKindOpen && (
          <FileReadingCard
            key={requestId}
            formId={reading.id}
            fieldOf={fieldIn(readingFields)}
            choice={choice}
            requestId={requestId}
          />
        )}
      </Stack>
    </Screen>
  );
}

function fieldIn(fields: Record<keyof Fields, FormField>) {
  return (name: keyof Fields): FormField => {
    const found = fields[name];
    if (!found) throw new Error(`the form has no field ${name}`);
    return found;
  };
}

import { useEffect } from 'react';
import { useRevalidator } from '@remix-run/react';
import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { IMPORT_PAGE_RENEWAL_SECONDS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { Actions, ButtonLink, Notice } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { ActForm, SubmitButton } from '#app/ui/forms/form.tsx';

interface ImportActionsProps {
  view: ImportView;
  isReady: boolean;
  isAnswered: boolean;
  requestId: string;
}

export function ImportActions({ view, isReady, isAnswered, requestId }: ImportActionsProps) {
  if (view.isBusy || (view.isWhole && view.state !== 'uploaded')) return null;
  const count = view.counts.added + view.counts.changed;
  return (
    <Actions>
      {isReady && (
        <ActionForm view={view} intent="apply" requestId={requestId}>
          <SubmitButton pendingLabel="Importing...">{`Import ${countOfRows(count, 'Row')}`}</SubmitButton>
        </ActionForm>
      )}
      {view.state === 'applied' && (
        <ButtonLink to={paths.confirmUndoImport(view.id)} preventScrollReset>
          Undo
        </ButtonLink>
      )}
      {isAnswered && (
        <ActionForm view={view} intent="check" requestId={requestId}>
          <SubmitButton variant="secondary" pendingLabel="Asking...">
            Answer Again
          </SubmitButton>
        </ActionForm>
      )}
      {view.state === 'uploaded' && (
        <ActionForm view={view} intent="remove" requestId={requestId}>
          <SubmitButton variant="secondary" pendingLabel="Removing...">
            Remove File
          </SubmitButton>
        </ActionForm>
      )}
    </Actions>
  );
}

type Question = Pick<ImportActionsProps, 'view' | 'requestId'>;

export function UndoQuestion({ view, requestId }: Question) {
  return (
    <ConfirmDialog
      title="Undo This Import"
      text={undoText(view.counts)}
      confirmLabel="Undo Import"
      pendingLabel="Undoing..."
      cancelHref={paths.import(view.id)}
      action={paths.import(view.id)}
      formValues={{ intent: 'undo', requestId }}
    />
  );
}

function undoText({ added, changed }: ImportView['counts']): string {
  const sentences = [
    ...(added > 0 ? [`What it added (${countOfRows(added)}) is removed.`] : []),
    ...(changed > 0 ? [`What it changed (${countOfRows(changed)}) becomes what it was before.`] : []),
  ];
  return [...sentences, 'To have it back, the file has to be imported again.'].join(' ');
}

const countOfRows = (count: number, one = 'row') => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;

interface ActionFormProps extends Question {
  intent: string;
  children: React.ReactNode;
}

function ActionForm({ view, intent, requestId, children }: ActionFormProps) {
  return (
    <ActForm action={paths.import(view.id)} requestId={requestId}>
      <HiddenField name="intent" value={intent} />
      {children}
    </ActForm>
  );
}

/** How far an import is; with script the page's data are loaded anew every few seconds, without it by a link. */
export function ImportProgress({ view }: { view: ImportView }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, IMPORT_PAGE_RENEWAL_SECONDS * 1000);
    return () => clearInterval(timer);
  }, [revalidate]);
  const { done, total } = view.progress;
  return (
    <Notice tone="info" action={<ButtonLink to={paths.import(view.id)}>Reload</ButtonLink>}>
      <p>{`${view.stateText}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows. You can leave this page and come back.`}</p>
      <progress className="import-progress" value={done} max={Math.max(1, total)} aria-label={view.stateText} />
    </Notice>
  );
}

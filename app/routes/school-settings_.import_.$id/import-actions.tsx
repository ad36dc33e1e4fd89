import { Form } from '@remix-run/react';
import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { paths } from '#app/paths.ts';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { Actions } from '#app/ui/layout.tsx';

interface ImportActionsProps {
  view: ImportView;
  /** Nothing stands in the way of importing it. */
  isReady: boolean;
  requestId: string;
}

export function ImportActions({ view, isReady, requestId }: ImportActionsProps) {
  if (view.isBusy) return null;
  const count = view.counts.added + view.counts.changed;
  const importLabel = `Import ${count.toLocaleString('en')} ${count === 1 ? 'Row' : 'Rows'}`;
  return (
    <Actions>
      {isReady && (
        <ActionForm view={view} intent="apply" requestId={requestId}>
          <SubmitButton pendingLabel="Importing...">{importLabel}</SubmitButton>
        </ActionForm>
      )}
      {view.state === 'applied' && (
        <ActionForm view={view} intent="undo" requestId={requestId}>
          <SubmitButton variant="danger" pendingLabel="Undoing...">
            Undo
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

interface ActionFormProps extends Omit<ImportActionsProps, 'isReady'> {
  intent: string;
  children: React.ReactNode;
}

function ActionForm({ view, intent, requestId, children }: ActionFormProps) {
  return (
    <Form method="post" action={paths.import(view.id)}>
      <RequestId value={requestId} />
      <HiddenField name="intent" value={intent} />
      {children}
    </Form>
  );
}

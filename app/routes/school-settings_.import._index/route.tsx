import { useActionData, useLoaderData } from '@remix-run/react';
import { type UploadFormInput, uploadFormSchema } from '#app/domain/imports/schema.server.ts';
import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { paths } from '#app/paths.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Card, DateTime, EmptyState, Stack } from '#app/ui/elements.tsx';
import { Link } from '#app/ui/link.tsx';
import { loadImportsPage, upload, findUploadLimitBytes } from './imports-page.server.ts';
import { FileKinds, UploadCard } from './upload-card.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Import');

export const loader = authedLoader({
  can: 'manage school',
  load: ({ actor }) => loadImportsPage(actor),
});

export const action = authedFormAction({
  can: 'manage school',
  limit: findUploadLimitBytes,
  schema: uploadFormSchema,
  failed: 'The file could not be read',
  run: ({ actor, form, input, requestId }) => upload(actor, form, input, requestId),
});

export default function Import() {
  const { imports, kinds, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<UploadFormInput & { file: string }>({ id: 'import', lastResult: reply?.result });
  return (
    <Screen title="Import" showBackLink beforeTitle={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      <Stack>
        <UploadCard formId={form.id} file={fields.file} kind={fields.kind} kinds={kinds} requestId={requestId} />
        <FileKinds kinds={kinds} />
        <ImportList imports={imports} />
      </Stack>
    </Screen>
  );
}

function ImportList({ imports }: { imports: ImportView[] }) {
  return (
    <Card title="Imports">
      {imports.length === 0 && <EmptyState text="Nothing was imported yet." />}
      <ul className="note-list">
        {imports.map(({ id, fileName, kind, stateText, counts, at, by }) => (
          <li key={id}>
            <p>
              <Link className="text-link" to={paths.import(id)}>
                {fileName}
              </Link>
            </p>
            <p>{`${kind}, ${counts.rows.toLocaleString('en')} rows: ${stateText}`}</p>
            <p className="hint">
              {by}, <DateTime value={at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

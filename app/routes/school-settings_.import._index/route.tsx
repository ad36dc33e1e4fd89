import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { type UploadFormInput, uploadFormSchema } from '#app/domain/imports/form-schema.server.ts';
import { findImports } from '#app/domain/imports/queries.server.ts';
import { neededText } from '#app/domain/imports/reading/fields.ts';
import { IMPORT_KINDS, KIND_LABELS } from '#app/domain/imports/records.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { toImportView } from '#app/features/imports/import-view.server.ts';
import { readImportFile } from '#app/features/imports/read-import-form.server.ts';
import { MAX_IMPORT_BYTES, MAX_IMPORT_FORM_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { authedFormAction } from '#app/server/screen-action.server.ts';
import { authedLoader } from '#app/server/screen-loader.server.ts';
import { Card } from '#app/ui/card.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { FileField } from '#app/ui/forms/file-field.tsx';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { Stack } from '#app/ui/layout.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { FileKinds } from './file-kinds.tsx';
import { ImportList } from './import-list.tsx';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Import');

export const loader = authedLoader({
  can: 'manage school',
  load: async ({ actor }) => ({
    imports: (await findImports(db, actor.schoolId)).map((row) => toImportView(row, actor.timeZone)),
    kinds: IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value], needs: neededText(value) })),
    requestId: newRequestId(),
  }),
});

export const action = authedFormAction({
  can: 'manage school',
  limit: MAX_IMPORT_FORM_BYTES,
  schema: uploadFormSchema,
  hiddenFields: ['file'],
  failed: 'The file could not be read',
  run: async ({ actor, form, input, requestId }) => {
    const file = await readImportFile(form);
    const { id } = await uploadImport(db, { ...actor, member: actor }, file, input.kind ?? null, { key: requestId });
    return redirect(paths.import(id), 303);
  },
});

export default function Import() {
  const { imports, kinds, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<UploadFormInput & { file: string }>({ id: 'import', lastResult: reply?.result });
  return (
    <Screen title="Import" showBackLink beforeTitle={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      <Stack>
        <Card
          title="Import a File"
          subtitle="The fleet first, then people, then flights. Nothing is written before you have seen what it does."
        >
          <PostForm action={paths.importsAction} id={form.id} encType="multipart/form-data">
            <RequestId value={requestId} />
            <FileField
              field={fields.file}
              label="File"
              hint={`CSV or xlsx, at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB, with a heading for each column`}
              accept=".csv,.txt,.tsv,.xlsx"
              required
            />
            <SelectField
              field={fields.kind}
              label="It holds"
              options={[
                { value: '', label: 'Find out from the columns' },
                ...kinds.map(({ value, label }) => ({ value, label })),
              ]}
            />
            <SubmitButton pendingLabel="Reading...">Read File</SubmitButton>
          </PostForm>
        </Card>
        <FileKinds kinds={kinds} />
        <ImportList imports={imports} />
      </Stack>
    </Screen>
  );
}

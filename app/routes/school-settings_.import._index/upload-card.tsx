import { MAX_IMPORT_BYTES, MAX_UPLOADED_ARCHIVE_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/elements.tsx';
import { FileField } from '#app/ui/forms/file-field.tsx';
import { type FormField, RequestId, SelectField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton } from '#app/ui/forms/form.tsx';

interface UploadCardProps {
  formId: string;
  file: FormField;
  kind: FormField;
  kinds: { value: string; label: string }[];
  requestId: string;
}

const MIB = 1024 * 1024;

export function UploadCard({ formId, file, kind, kinds, requestId }: UploadCardProps) {
  return (
    <Card
      title="Import a File"
      subtitle="The fleet first, then people, then flights. Nothing is written before you have seen what it does."
    >
      <PostForm action={paths.importsAction} id={formId} encType="multipart/form-data">
        <RequestId value={requestId} />
        <FileField
          field={file}
          label="File"
          hint={`CSV or xlsx, at most ${MAX_IMPORT_BYTES / MIB} MB, with a heading for each column; or the zip of a whole school, as exported, at most ${MAX_UPLOADED_ARCHIVE_BYTES / MIB} MB, into a school that has nothing yet`}
          accept=".csv,.txt,.tsv,.xlsx,.zip"
          required
        />
        <SelectField
          field={kind}
          label="It holds"
          options={[
            { value: '', label: 'Find out from the columns' },
            ...kinds.map(({ value, label }) => ({ value, label })),
            { value: 'all', label: 'Everything of a school' },
          ]}
        />
        <SubmitButton pendingLabel="Reading...">Read File</SubmitButton>
      </PostForm>
    </Card>
  );
}

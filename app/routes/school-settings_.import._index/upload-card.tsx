import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import { FileField } from '#app/ui/forms/file-field.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';

interface UploadCardProps {
  formId: string;
  file: FormField;
  kind: FormField;
  kinds: { value: string; label: string }[];
  requestId: string;
}

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
          hint={`CSV or xlsx, at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB, with a heading for each column`}
          accept=".csv,.txt,.tsv,.xlsx"
          required
        />
        <SelectField
          field={kind}
          label="It holds"
          options={[
            { value: '', label: 'Find out from the columns' },
            ...kinds.map(({ value, label }) => ({ value, label })),
          ]}
        />
        <SubmitButton pendingLabel="Reading...">Read File</SubmitButton>
      </PostForm>
    </Card>
  );
}

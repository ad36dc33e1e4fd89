import { MAX_IMPORT_BYTES, MAX_UPLOADED_ARCHIVE_BYTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/elements.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import { FileField } from '#app/ui/forms/file-field.tsx';
import { type FormField, SelectField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton } from '#app/ui/forms/form.tsx';

interface Kind {
  value: string;
  label: string;
}

interface UploadCardProps {
  formId: string;
  file: FormField;
  kind: FormField;
  kinds: Kind[];
  requestId: string;
}

const MIB = 1024 * 1024;

export function UploadCard({ formId, file, kind, kinds, requestId }: UploadCardProps) {
  return (
    <Card
      title="Import a File"
      subtitle="The fleet first, then people, then flights. Nothing is written before you have seen what it does."
    >
      <PostForm action={paths.importsAction} id={formId} encType="multipart/form-data" requestId={requestId}>
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

/** Says what a file must hold before one is chosen, with a file of each kind to begin with. */
export function FileKinds({ kinds }: { kinds: (Kind & { needs: string })[] }) {
  return (
    <Card
      title="What a File Must Hold"
      subtitle="Columns may have other names and more of them may be there; what is not used is listed before anything is written. What is the same in every row, such as the aircraft, may be said once instead."
    >
      <DataTable caption="What a file must hold" columns={['Kind', 'Needs', 'Template']}>
        {kinds.map(({ value, label, needs }) => (
          <TableRow key={value}>
            <TableRowHeader>{label}</TableRowHeader>
            <TableCell label="Needs">{needs}</TableCell>
            <TableCell label="Template">
              {(['csv', 'xlsx'] as const).map((ending) => (
                <a
                  key={ending}
                  className="text-link"
                  href={paths.importTemplate(`${value}.${ending}`)}
                  aria-label={`${label} as ${ending}`}
                  download
                >
                  {ending}
                </a>
              ))}
            </TableCell>
          </TableRow>
        ))}
      </DataTable>
    </Card>
  );
}

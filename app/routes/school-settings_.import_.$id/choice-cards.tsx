import { Card, Columns } from '#app/ui/elements.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, HiddenField, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton } from '#app/ui/forms/form.tsx';
import type { ImportChoices } from './import-page.server.ts';

interface QuestionsCardProps {
  formId: string;
  fieldOf: (name: `answers.${string}`) => FormField;
  title?: string;
  subtitle?: string;
  questions: ImportChoices['questions'];
  requestId: string;
}

export function QuestionsCard({
  formId,
  fieldOf,
  title = 'What the File Does Not Say',
  subtitle = 'Each answer is for the whole file. Nothing is imported before.',
  questions,
  requestId,
}: QuestionsCardProps) {
  return (
    <Card title={title} subtitle={subtitle}>
      <PostForm id={formId} requestId={requestId}>
        <HiddenField name="intent" value="answer" />
        {questions.map(({ key, text, options }) =>
          options.length === 0 ? (
            <TextField key={key} field={fieldOf(`answers.${key}`)} label={text} autoComplete="off" />
          ) : (
            <SelectField
              key={key}
              field={fieldOf(`answers.${key}`)}
              label={text}
              options={[{ value: '', label: 'Please choose' }, ...options]}
            />
          ),
        )}
        <SubmitButton pendingLabel="Reading...">Continue</SubmitButton>
      </PostForm>
    </Card>
  );
}

type Named = `columns.${string}` | 'kind' | 'sheet' | keyof ImportChoices['options'];

interface FileReadingCardProps {
  formId: string;
  fieldOf: (name: Named) => FormField;
  choice: ImportChoices;
  requestId: string;
}

/** How the file is read, a row for each of its columns, to be put right. */
export function FileReadingCard({ formId, fieldOf, choice, requestId }: FileReadingCardProps) {
  const fields = [{ value: '', label: 'Left out' }, ...choice.fields];
  return (
    <Card title="How the File Is Read">
      <PostForm id={formId} requestId={requestId}>
        <HiddenField name="intent" value="check" />
        <Columns>
          <SelectField field={fieldOf('kind')} label="It holds" options={choice.kinds} />
          {choice.sheets.length > 1 && <SelectField field={fieldOf('sheet')} label="Table" options={choice.sheets} />}
        </Columns>
        <DataTable caption="The columns of the file" columns={['Column', 'First cells', 'Is read as']}>
          {choice.columns.map(({ place, heading, cells, note }) => (
            <TableRow key={heading}>
              <TableRowHeader>{heading}</TableRowHeader>
              <TableCell label="First cells">{cells.join(' · ')}</TableCell>
              <TableCell label="Is read as">
                <SelectField
                  field={fieldOf(`columns.${place}`)}
                  label={<span className="visually-hidden">{`'${heading}' is read as`}</span>}
                  options={fields}
                  hint={note}
                />
              </TableCell>
            </TableRow>
          ))}
        </DataTable>
        {choice.kind === 'people' && (
          <>
            <Checkbox
              field={fieldOf('sendInvitations')}
              label="Send invitations"
              hint="Everybody gets a link to choose a password. Without it, send one later from each person's page."
            />
            <Checkbox field={fieldOf('administrators')} label="Import administrators, too" />
          </>
        )}
        {choice.kind === 'flights' && (
          <Checkbox
            field={fieldOf('oddReadings')}
            label="Import flights whose readings or times do not fit, too"
            hint="They stay as they are in the file, and the line of readings shows what is odd."
          />
        )}
        <Checkbox field={fieldOf('leaveOutRefused')} label="Leave out refused rows, and import the others" />
        <SubmitButton variant="secondary" pendingLabel="Reading...">
          Read Again
        </SubmitButton>
      </PostForm>
    </Card>
  );
}

import { Card } from '#app/ui/elements.tsx';
import { type FormField, HiddenField, RequestId, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton } from '#app/ui/forms/form.tsx';
import type { Choice } from './import-page.server.ts';

interface QuestionsCardProps {
  formId: string;
  fieldOf: (name: `answers.${string}`) => FormField;
  title?: string;
  subtitle?: string;
  questions: Choice['questions'];
  requestId: string;
}

/** Asks what the file leaves open, once for all its rows. */
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
      <PostForm id={formId}>
        <RequestId value={requestId} />
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

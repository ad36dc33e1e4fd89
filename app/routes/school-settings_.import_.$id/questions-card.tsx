import { Card } from '#app/ui/card.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import { SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
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

import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { type SelectOption, SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { CheckOutScreen } from './check-out-screen.tsx';

interface SelectAircraftStepProps {
  aircraftOptions: SelectOption[];
  selectedAircraftId: string;
  isRestored: boolean;
  reply: FormReply | undefined;
  toast: Toast | null;
}

export function SelectAircraftStep(props: SelectAircraftStepProps) {
  const { aircraftOptions, selectedAircraftId, isRestored, reply, toast } = props;
  const [form, fields] = useForm<{ aircraftId: string }>({
    id: 'select-aircraft',
    lastResult: reply?.result,
    defaultValue: { aircraftId: selectedAircraftId },
  });
  const backLink = <ButtonLink to={paths.dashboard}>Back</ButtonLink>;
  return (
    <CheckOutScreen stepIndex={0} beforeTitle={<ErrorSummary form={form} />} toast={toast} isRestored={isRestored}>
      <Card title="Select Aircraft">
        {aircraftOptions.length === 0 ? (
          <EmptyState text="No aircraft available at your flight school" action={backLink} />
        ) : (
          <PostForm action={paths.checkOutStep(0)} id={form.id}>
            <SelectField
              field={fields.aircraftId}
              label="Aircraft"
              options={[{ value: '', label: 'Select an aircraft' }, ...aircraftOptions]}
              required
            />
            <Actions>
              <SubmitButton>Next</SubmitButton>
              {backLink}
            </Actions>
          </PostForm>
        )}
      </Card>
    </CheckOutScreen>
  );
}

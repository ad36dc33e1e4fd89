import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { type SelectOption, SelectField } from '#app/ui/forms/select-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { CheckOutScreen } from './check-out-screen.tsx';

interface SelectAircraftProps {
  fleet: SelectOption[];
  chosen: string;
  unsent: boolean;
  reply: FormReply | undefined;
  toast: Toast | null;
}

/** Step 1: which aircraft. */
export function SelectAircraft({ fleet, chosen, unsent, reply, toast }: SelectAircraftProps) {
  const [form, fields] = useForm<{ aircraftId: string }>({
    id: 'select-aircraft',
    lastResult: reply?.result,
    defaultValue: { aircraftId: chosen },
  });
  const back = <ButtonLink to={paths.dashboard}>Back</ButtonLink>;
  return (
    <CheckOutScreen step={0} lead={<ErrorSummary form={form} />} toast={toast} unsent={unsent}>
      <Card title="Select Aircraft">
        {fleet.length === 0 ? (
          <EmptyState text="No aircraft available at your flight school" action={back} />
        ) : (
          <Form method="post" action={paths.checkOutStep(0)} id={form.id} noValidate>
            <SelectField
              field={fields.aircraftId}
              label="Aircraft"
              options={[{ value: '', label: 'Select an aircraft' }, ...fleet]}
              required
            />
            <Actions>
              <SubmitButton>Next</SubmitButton>
              {back}
            </Actions>
          </Form>
        )}
      </Card>
    </CheckOutScreen>
  );
}

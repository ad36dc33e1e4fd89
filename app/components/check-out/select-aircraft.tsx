import { Form } from '@remix-run/react';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../button.tsx';
import { Card } from '../card.tsx';
import { Actions } from '../columns.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ErrorSummary } from '../error-summary.tsx';
import type { FormReply } from '../form-reply.ts';
import { type Option, SelectField } from '../select-field.tsx';
import { SubmitButton } from '../submit-button.tsx';
import type { Toast } from '../toast-region.tsx';
import { useForm } from '../use-form.ts';
import { CheckOutScreen } from './check-out-screen.tsx';

interface SelectAircraftProps {
  fleet: Option[];
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

import { paths } from '#app/paths.ts';
import { ButtonLink, Card, Actions, EmptyState } from '#app/ui/elements.tsx';
import { ErrorSummary, PostForm, type FormReply, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { type SelectOption, SelectField } from '#app/ui/forms/fields.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { CheckOutScreen } from './check-out-screen.tsx';

interface SelectAircraftStepProps {
  aircraftOptions: SelectOption[];
  selectedAircraftId: string;
  whoAdds: string | null;
  notice: string | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

export function SelectAircraftStep(props: SelectAircraftStepProps) {
  const { aircraftOptions, selectedAircraftId, whoAdds, notice, reply, toast } = props;
  const [form, fields] = useForm<{ aircraftId: string }>({
    id: 'select-aircraft',
    lastResult: reply?.result,
    defaultValue: { aircraftId: selectedAircraftId },
  });
  const backLink = <ButtonLink to={paths.dashboard}>Back</ButtonLink>;
  return (
    <CheckOutScreen stepIndex={0} beforeTitle={<ErrorSummary form={form} />} toast={toast} notice={notice}>
      <Card title="Select Aircraft">
        {aircraftOptions.length === 0 ? (
          <EmptyState
            text="No aircraft available at your flight school"
            action={
              <>
                {whoAdds && <p className="hint">{whoAdds}</p>}
                <Actions>
                  {!whoAdds && (
                    <ButtonLink variant="primary" to={paths.addAircraft}>
                      Add New Aircraft
                    </ButtonLink>
                  )}
                  {backLink}
                </Actions>
              </>
            }
          />
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

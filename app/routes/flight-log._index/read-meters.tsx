import { Form } from '@remix-run/react';
import type { CheckOutDraft } from '#app/domain/flights/check-out-draft.ts';
import { differenceText, type LastReadingView } from '#app/domain/flights/reading-flags.ts';
import { toHundredths, parseReading } from '#app/domain/reading.ts';
import { paths } from '#app/paths.ts';
import { Autosave } from '#app/ui/forms/autosave.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import type { FormReply } from '#app/ui/forms/form-reply.ts';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { MeterReadingField, type MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { Note } from '#app/features/meters/reading-note.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { CheckOutScreen } from './check-out-screen.tsx';
import { UseLastReading } from './use-last-reading.tsx';

interface ReadingsForm {
  startHobbsTime: string;
  startHobbsPhoto: File;
  startTachTime: string;
  startTachPhoto: File;
}

interface ReadMetersProps {
  checkOut: CheckOutDraft;
  scans: MeterScans;
  /** The meter whose photo has just been read. */
  filled: 'hobbs' | 'tach' | null;
  unsent: boolean;
  reply: FormReply | undefined;
  toast: Toast | null;
}

/** Step 2: what the meters show. The form carries the aircraft along, so that two tabs never mix. */
export function ReadMeters({ checkOut, scans, filled, unsent, reply, toast }: ReadMetersProps) {
  const { aircraft, startHobbsTime, startTachTime, last, flownSince } = checkOut;
  const [form, fields] = useForm<ReadingsForm>({
    id: 'read-meters',
    lastResult: reply?.result,
    defaultValue: { startHobbsTime, startTachTime },
  });
  if (!aircraft) return <NoAircraft toast={toast} />;
  return (
    <CheckOutScreen step={1} lead={<ErrorSummary form={form} />} toast={toast} unsent={unsent} formId={form.id}>
      {flownSince && (
        <Notice tone="caution">This aircraft has flown since its meters were read. Please read them again.</Notice>
      )}
      <Card title={aircraft.tailNumber} isTailNumber subtitle={`${aircraft.make} ${aircraft.model}`}>
        <Form method="post" action={paths.checkOutStep(1)} id={form.id} encType="multipart/form-data" noValidate>
          <HiddenField name="aircraftId" value={String(aircraft.id)} />
          <MeterReadingField
            meter="hobbs"
            label="Hobbs Time"
            aircraftId={aircraft.id}
            reading={fields.startHobbsTime}
            photo={fields.startHobbsPhoto}
            scan={scans.hobbs}
            scanName="startHobbsScan"
            noteOf={startReadingNote(last.hobbs)}
            focused={filled === 'hobbs'}
          >
            <UseLastReading field={fields.startHobbsTime} last={last.hobbs} intent="use-last-hobbs" />
          </MeterReadingField>
          <MeterReadingField
            meter="tach"
            label="Tach Time"
            aircraftId={aircraft.id}
            reading={fields.startTachTime}
            photo={fields.startTachPhoto}
            scan={scans.tach}
            scanName="startTachScan"
            noteOf={startReadingNote(last.tach)}
            focused={filled === 'tach'}
          >
            <UseLastReading field={fields.startTachTime} last={last.tach} intent="use-last-tach" />
          </MeterReadingField>
          <Autosave formId={form.id} action={paths.checkOutDraft} />
          <Actions>
            <SubmitButton name="intent" value="next">
              Next
            </SubmitButton>
            <Button name="intent" value="back">
              Back
            </Button>
          </Actions>
        </Form>
      </Card>
    </CheckOutScreen>
  );
}

function NoAircraft({ toast }: { toast: Toast | null }) {
  return (
    <CheckOutScreen step={1} toast={toast}>
      <EmptyState
        text="Please select an aircraft first."
        action={<ButtonLink to={paths.checkOutStep(0)}>Go Back</ButtonLink>}
      />
    </CheckOutScreen>
  );
}

function startReadingNote(last: LastReadingView | null) {
  return (typed: string): Note | undefined => {
    const difference = differenceText(last, typed);
    if (difference) return { tone: 'caution', text: difference };
    const start = parseReading(typed);
    const same = last && start !== undefined && toHundredths(last.value) === toHundredths(start);
    return same ? { tone: 'plain', text: 'Same as the last recorded reading.' } : undefined;
  };
}

import { isGrave } from '#app/domain/aircraft/find-conditions.ts';
import type { CheckOutDraft } from '#app/domain/flights/check-out-draft.server.ts';
import { differenceText, type LastReadingView, photoFlag } from '#app/domain/readings/check-start.ts';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { ConditionBadge } from '#app/features/aircraft/aircraft-badge.tsx';
import { confidentReading } from '#app/features/meters/end-readings/shown-reading.ts';
import { isSameReading, parseReading } from '#app/domain/reading.ts';
import { paths } from '#app/paths.ts';
import { AutosaveStatus } from '#app/ui/forms/autosave-status.tsx';
import { Button, ButtonLink, Card, Actions, EmptyState, Notice } from '#app/ui/elements.tsx';
import { ErrorSummary, type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { FillButton } from '#app/features/meters/fill-button.tsx';
import { type MeterKey, MeterReadingField, type MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import type { ReadingNoteContent } from '#app/features/meters/reading-note.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { CheckOutScreen } from './check-out-screen.tsx';

interface ReadMetersValues {
  startHobbsTime: string;
  startHobbsPhoto: File;
  startTachTime: string;
  startTachPhoto: File;
}

interface ReadMetersStepProps {
  checkOutDraft: CheckOutDraft;
  scans: MeterScans;
  meterJustRead: MeterKey | null;
  notice: string | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

const METERS = [
  { meter: 'hobbs', name: 'Hobbs' },
  { meter: 'tach', name: 'Tach' },
] as const;

export function ReadMetersStep(props: ReadMetersStepProps) {
  const { checkOutDraft, scans, meterJustRead, notice, reply, toast } = props;
  const { aircraft, startHobbsTime, startTachTime, photos, last, hasFlownSince } = checkOutDraft;
  const [form, fields] = useForm<ReadMetersValues>({
    id: 'read-meters',
    lastResult: reply?.result,
    defaultValue: { startHobbsTime, startTachTime, ...photos },
  });
  if (!aircraft) return <NoAircraftSelected toast={toast} />;
  return (
    <CheckOutScreen
      stepIndex={1}
      beforeTitle={<ErrorSummary form={form} />}
      toast={toast}
      notice={notice}
      formId={form.id}
    >
      {hasFlownSince && (
        <Notice tone="caution">This aircraft has flown since its meters were read. Please read them again.</Notice>
      )}
      <Card
        title={aircraft.tailNumber}
        isTailNumber
        subtitle={`${aircraft.make} ${aircraft.model}`}
        badge={isGrave(aircraft.condition) && <ConditionBadge kind={aircraft.condition} />}
      >
        <PostForm action={paths.checkOutStep(1)} id={form.id} encType="multipart/form-data" data-draft="whole">
          <HiddenField name="aircraftId" value={aircraft.id} />
          {METERS.map(({ meter, name }) => {
            const [reading, lastReading] = [fields[`start${name}Time`], last[meter]];
            return (
              <MeterReadingField
                key={meter}
                meter={meter}
                label={`${name} Time`}
                aircraftId={aircraft.id}
                reading={reading}
                photo={fields[`start${name}Photo`]}
                scan={scans[meter]}
                scanFieldName={`start${name}Scan`}
                getNote={(value) => startReadingNote(value, lastReading, scans[meter])}
                hasInitialFocus={meterJustRead === meter}
              >
                {lastReading && (
                  <FillButton
                    fieldId={reading.id}
                    value={lastReading.value}
                    intent={`use-last-${meter}`}
                    label={`Use last reading ${lastReading.value}`}
                  />
                )}
              </MeterReadingField>
            );
          })}
          <AutosaveStatus formId={form.id} />
          <Actions>
            <SubmitButton name="intent" value="next">
              Next
            </SubmitButton>
            <Button name="intent" value="back">
              Back
            </Button>
          </Actions>
        </PostForm>
      </Card>
    </CheckOutScreen>
  );
}

function NoAircraftSelected({ toast }: { toast: Toast | null }) {
  return (
    <CheckOutScreen stepIndex={1} toast={toast}>
      <EmptyState
        text="Please select an aircraft first."
        action={<ButtonLink to={paths.checkOutStep(0)}>Go Back</ButtonLink>}
      />
    </CheckOutScreen>
  );
}

function startReadingNote(
  value: string,
  lastReading: LastReadingView | null,
  scan: ScanView | null,
): ReadingNoteContent | undefined {
  const difference = differenceText(lastReading, value);
  if (difference) return { tone: 'caution', text: difference };
  const reading = parseReading(value);
  const photo = reading === undefined ? undefined : photoFlag(reading, confidentReading(scan));
  if (photo) return { tone: 'caution', text: `The photo shows ${photo.last}, not ${value}.` };
  return isSameReading(lastReading?.value, reading)
    ? { tone: 'neutral', text: 'Same as the last recorded reading.' }
    : undefined;
}

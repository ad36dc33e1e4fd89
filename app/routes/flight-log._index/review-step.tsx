import { isGrave } from '#app/domain/aircraft/find-conditions.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import type { CheckOutDraft } from '#app/domain/flights/check-out-draft.server.ts';
import type { ItemsToTick } from '#app/domain/flights/start-warnings.server.ts';
import { paths } from '#app/paths.ts';
import { ConditionBadge } from '#app/features/aircraft/aircraft-badge.tsx';
import { DueList } from '#app/features/aircraft/due-list.tsx';
import type { DueView } from '#app/features/aircraft/due-view.ts';
import { ButtonLink, Card, Actions, DescriptionList, EmptyState, Notice } from '#app/ui/elements.tsx';
import { AutosaveStatus } from '#app/ui/forms/autosave-status.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { ErrorSummary, type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { HiddenField, HiddenTailNumberField, SchoolTimeField } from '#app/ui/forms/fields.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { CheckOutScreen } from './check-out-screen.tsx';
import { RecentSquawks, type RecentSquawksProps } from './recent-squawks.tsx';
import { CheckOutConfirmations } from '#app/features/flights/check-out-confirmations.tsx';

interface ReviewStepProps {
  checkOutDraft: CheckOutDraft;
  review:
    | (RecentSquawksProps &
        ItemsToTick & {
          startHobbsTime: string;
          startTachTime: string;
          differences: { hobbs: string | null; tach: string | null };
          unavailableText: string | null;
          due: DueView[];
        })
    | null;
  requestId: string;
  notice: string | null;
  reply: FormReply | undefined;
  toast: Toast | null;
}

/** Posts the values it shows, so that another tab cannot change what is started. */
export function ReviewStep({ checkOutDraft, review, requestId, notice, reply, toast }: ReviewStepProps) {
  const { aircraft, scans } = checkOutDraft;
  const [form, fields] = useForm<
    Record<'readAgain' | 'unsafeRead' | 'overdueRead' | 'deferralsRead' | 'departedAt', string>
  >({
    id: 'review',
    lastResult: reply?.result,
    defaultValue: { departedAt: checkOutDraft.departedAt },
  });
  if (!aircraft || !review) return <EarlierStepIncomplete toast={toast} />;
  const { startHobbsTime, startTachTime, differences, unavailableText } = review;
  return (
    <CheckOutScreen stepIndex={2} beforeTitle={<ErrorSummary form={form} />} toast={toast} notice={notice}>
      {unavailableText && !form.errors && <Notice tone="danger">{unavailableText}</Notice>}
      <RecentSquawks {...review} />
      {review.due.length > 0 && (
        <Card title="Due">
          <DueList items={review.due} />
        </Card>
      )}
      <Card title="Review & Save">
        <DescriptionList
          items={[
            { term: 'Aircraft', detail: <AircraftName aircraft={aircraft} /> },
            { term: 'Start Hobbs', detail: <ReviewedReading value={startHobbsTime} difference={differences.hobbs} /> },
            { term: 'Start Tach', detail: <ReviewedReading value={startTachTime} difference={differences.tach} /> },
          ]}
        />
        <PostForm action={paths.checkOutStep(2)} id={form.id} data-draft="whole" requestId={requestId}>
          <HiddenField name="aircraftId" value={aircraft.id} />
          <HiddenTailNumberField value={aircraft.tailNumber} />
          <HiddenField name="startHobbsTime" value={startHobbsTime} />
          <HiddenField name="startTachTime" value={startTachTime} />
          {scans.hobbs && <HiddenField name="startHobbsScan" value={scans.hobbs.id} />}
          {scans.tach && <HiddenField name="startTachScan" value={scans.tach.id} />}
          {(differences.hobbs ?? differences.tach) && (
            <Checkbox field={fields.readAgain} label="I have read the meter again" required />
          )}
          <SchoolTimeField
            field={fields.departedAt}
            label="The flight departed at (optional)"
            hint="Leave blank to use the current time."
          />
          <CheckOutConfirmations fields={fields} items={review} />
          <AutosaveStatus formId={form.id} />
          <Actions>
            {!unavailableText && (
              <SubmitButton variant="cta" pendingLabel="Starting Flight...">
                Start Flight
              </SubmitButton>
            )}
            <ButtonLink to={paths.checkOutStep(1)}>Back</ButtonLink>
          </Actions>
        </PostForm>
      </Card>
    </CheckOutScreen>
  );
}

function EarlierStepIncomplete({ toast }: { toast: Toast | null }) {
  return (
    <CheckOutScreen stepIndex={2} toast={toast}>
      <EmptyState
        text="Please complete all previous steps first."
        action={<ButtonLink to={paths.checkOutStep(0)}>Go Back</ButtonLink>}
      />
    </CheckOutScreen>
  );
}

function AircraftName({ aircraft: { tailNumber, make, model, condition } }: { aircraft: Aircraft }) {
  return (
    <>
      <span className="tail-number">{tailNumber}</span> {make} {model}{' '}
      {isGrave(condition) && <ConditionBadge kind={condition} />}
    </>
  );
}

function ReviewedReading({ value, difference }: { value: string; difference: string | null }) {
  return (
    <>
      <Reading value={value} size="large" />
      {difference && <ReadingNote note={{ tone: 'caution', text: difference }} />}
    </>
  );
}

import { redirect } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { conditionSuffix, statusSuffix } from '#app/domain/aircraft/find-conditions.ts';
import { byReadiness } from '#app/domain/aircraft/fleet-order.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import type { TypedForm, UnsentForms } from '#app/domain/drafts.server.ts';
import {
  type CheckOutDraft,
  findCheckOutDraft,
  findCheckOutReview,
} from '#app/domain/flights/check-out-draft.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { texts } from '#app/domain/texts.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { nextStepToCheckIn, whoAddsAircraft } from '#app/features/flights/next-steps.server.ts';
import { parseMeterJustRead, toScanViews } from '#app/features/meters/photo-form.server.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { parseId } from '#app/server/query-values.server.ts';

export type StepIndex = 0 | 1 | 2;

const STEP_FORMS = ['select-aircraft', 'read-meters', 'review'];

export async function loadStep(actor: Actor, url: URL, unsent: UnsentForms) {
  const step = stepFromUrl(url);
  const posted = [unsent[STEP_FORMS[step] ?? ''], unsent['']].find((form) => form?.isParked);
  const view = await findView(actor, url, step, unsent, posted);
  return { view, notice: posted ? texts.formRestored : view.isElsewhere ? texts.typedElsewhere : null };
}

async function findView(actor: Actor, url: URL, step: StepIndex, unsent: UnsentForms, posted: TypedForm | undefined) {
  const [openFlight] = await findOpenFlights(db, actor.schoolId, { userId: actor.id });
  const chosenId = parseId(url.searchParams.get('aircraftId') ?? undefined);
  const isSought = url.searchParams.has('check-in');
  if (openFlight && (isSought || openFlight.aircraft.id === chosenId)) throw redirect(paths.checkIn(openFlight.id));
  if (openFlight) return { step: 'in flight' as const, way: nextStepToCheckIn(openFlight.id), isElsewhere: false };
  const parked = step === 0 ? undefined : posted;
  const checkOutDraft = await findCheckOutDraft(db, actor, unsent, parked, step === 1 ? chosenId : undefined);
  const { aircraft, scans, elsewhere } = checkOutDraft;
  const meterJustRead = parseMeterJustRead(url);
  if (step === 1 && chosenId !== undefined && aircraft?.status)
    throw redirect(serverOnlyPaths.checkOutAircraft(chosenId));
  if (step === 1)
    return { step, checkOutDraft, scans: toScanViews(scans), meterJustRead, isElsewhere: elsewhere.readings };
  if (step === 2) {
    const review = await loadReview(actor, checkOutDraft);
    return { step, checkOutDraft, review, isElsewhere: review !== null && (elsewhere.readings || elsewhere.departure) };
  }
  const fleet = await findFleet(db, actor.schoolId);
  const typedId = posted?.values.aircraftId ?? chosenId;
  return {
    step,
    aircraftOptions: fleet.toSorted(byReadiness).map(toOption),
    selectedAircraftId: String(typedId ?? aircraft?.id ?? ''),
    whoAdds: whoAddsAircraft(actor),
    isElsewhere: typedId === undefined && !unsent['select-aircraft'] && elsewhere.aircraft,
  };
}

export function stepFromUrl(url: URL): StepIndex {
  const step = url.searchParams.get('step');
  return step === '1' ? 1 : step === '2' ? 2 : 0;
}

async function loadReview(actor: Actor, checkOutDraft: CheckOutDraft) {
  const review = await findCheckOutReview(db, actor, checkOutDraft);
  if (!review) return null;
  const { recentNotes, warnings, ...readings } = review;
  const marks = await findNamesakeMarks(db, actor);
  const shownIds = warnings.squawks.map(({ flightLogId }) => flightLogId);
  return {
    ...readings,
    squawks: warnings.squawks.map((squawk) => toSquawkView(squawk, actor, marks)),
    hasRecentNotes: recentNotes.length > 0,
    recentNotes: recentNotes
      .filter(({ id }) => !shownIds.includes(id))
      .map(({ id, notes, pilot_id: pilotId, username, completed_at: completedAt }) => ({
        id,
        notes,
        by: markedName(marks, { id: pilotId, username }),
        on: completedAt && formatDate(completedAt, actor.timeZone),
      })),
    due: warnings.due.map(toDueView),
    unsafe: warnings.unsafe,
    overdue: warnings.overdue,
    deferralsOver: warnings.deferralsOver,
  };
}

function toOption({ id, tailNumber, make, model, status, condition }: Aircraft) {
  const label = `${tailNumber}${conditionSuffix(condition)} · ${make} ${model}${statusSuffix(status)}`;
  return { value: String(id), label, disabled: status !== null };
}

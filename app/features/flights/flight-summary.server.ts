import { data } from '@remix-run/node';
import { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { findFlightLog, requireFlightRow } from '#app/domain/flights/queries.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import type { KeptFormAnswer, FormRequest } from '#app/server/posted-forms.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import type { ScreenAnswer } from '#app/server/session/cookies.server.ts';

/** Returns `conflict` as data, so that a form whose response was lost can be sent again. */
export async function loadFlightToChange(actor: Actor, id: number, assertChangeable: () => Promise<unknown>) {
  const conflict = await findConflictText(assertChangeable);
  const flight = await loadFlightSummary(actor, id);
  return data({ flight, conflict, requestId: newFormRequestId() }, { status: conflict === null ? 200 : 409 });
}

/** Returns the text of the assertion's 409, or null. Throws its other errors. */
export async function findConflictText(assertChangeable: () => Promise<unknown>): Promise<string | null> {
  try {
    await assertChangeable();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return error.message;
    throw error;
  }
}

async function loadFlightSummary({ schoolId, timeZone }: Actor, id: number) {
  const log = await findFlightLog(db, schoolId, id, { includeCancelled: true });
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  const { aircraft, user, status, createdAt, startHobbsTime, startTachTime, completedAt, departedAt } = log;
  return {
    id,
    aircraft,
    status,
    pilot: user.username,
    started: formatDateTime(createdAt, timeZone),
    startHobbsTime,
    startTachTime,
    isOpen: completedAt === null,
    checkedOutAt: toSchoolTime(createdAt, timeZone),
    checkedInAt: completedAt === null ? '' : toSchoolTime(completedAt, timeZone),
    departedAt: departedAt === createdAt ? '' : toSchoolTime(departedAt, timeZone),
  };
}

export type FlightFormRequest = FormRequest & { actor: Member; params: { id: number } };

/** Answers a form that ends a flight; the notes of a flight that has ended meanwhile wait in the form that reports them. */
export async function keepNotesOnConflict<Answer extends ScreenAnswer | KeptFormAnswer>(
  context: FlightFormRequest,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await handle();
  if ('data' in answer && z.object({ status: z.literal(409) }).safeParse(answer.data).success) await keepNotes(context);
  return answer;
}

async function keepNotes({ actor, params, form }: FlightFormRequest): Promise<void> {
  const notes = form.get('notes');
  if (typeof notes !== 'string' || notes.trim() === '') return;
  const { aircraft_id: aircraftId } = await requireFlightRow(db, actor, params.id);
  const name = `${paths.addSquawk(aircraftId)}#squawk`;
  const { values } = await findDraft(db, actor.id, name);
  const text = values?.text?.includes(notes) ? values.text : [values?.text, notes].filter(Boolean).join('\n');
  const unsafe = form.get('unsafe') ? 'on' : (values?.unsafe ?? '');
  await saveDraft(db, actor, name, Object.entries({ text, unsafe }));
}

const TIME_FIELDS = ['departedAt', 'landedAt'] as const;

/** Returns null for each time that the form was sent without, which then is the moment of the button. */
export function blankTimesAsNull(form: FormData): Partial<Record<(typeof TIME_FIELDS)[number], null>> {
  return Object.fromEntries(TIME_FIELDS.filter((name) => form.get(name) === '').map((name) => [name, null]));
}

import { assertCan, type Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { saveReviewDrafts } from '#app/domain/flights/check-out-draft.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import { requireFlightRow, findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { findExistingStart } from '#app/domain/flights/start-flight.server.ts';
import {
  END_METERS,
  type MeterFields,
  scanPhotosOfTypedReadings,
  START_METERS,
} from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { jsonResponse, textResponse } from '#app/server/api/api-responses.server.ts';
import { db } from '#app/server/db.server.ts';
import { toErrorView } from '#app/server/error-responses.server.ts';
import { parseIdField } from '#app/server/query-values.server.ts';
import { KeptFormAnswer, type FormRequest } from '#app/server/posted-forms.server.ts';
import { parseRequestIdField } from '#app/server/screen.server.ts';
import { handleCheckIn } from '../flight-log.$id.post-check/check-in.server.ts';
import { handleStep } from '../flight-log._index/check-out-steps.server.ts';

type Unsent = FormRequest & { actor: Member };

/** Answer of the screens: a redirect, a form that goes on as a draft, or the form again with what is wrong. */
type Answer = Awaited<ReturnType<typeof handleStep>> | Awaited<ReturnType<typeof handleCheckIn>>;

/** Starts the flight and answers with its id, or says why not, and where the form waits. */
export async function sendCheckOut(unsent: Unsent, typedAt: string | undefined): Promise<Response> {
  const { actor, form } = unsent;
  assertCan(actor, 'check out aircraft');
  const standing = await findStanding(actor, form, typedAt);
  if (standing) return jsonResponse({ flightId: standing.isOpen ? standing.id : null });
  const url = new URL(paths.checkOutStep(2), unsent.url);
  const aircraftId = parseIdField(form, 'aircraftId') ?? 0;
  const refusal = await sendWithPhotos(unsent, aircraftId, START_METERS, () => handleStep({ ...unsent, url }));
  if (refusal) return refuse(refusal, () => keepCheckOut(actor, form, refusal));
  const [openFlight] = await findOpenFlights(db, actor.schoolId, { userId: actor.id });
  return jsonResponse({ flightId: openFlight?.aircraft.id === aircraftId ? openFlight.id : null });
}

/** Completes the flight, or answers as `sendCheckOut` does. */
export async function sendCheckIn(unsent: Unsent, id: number): Promise<Response> {
  const { actor, form } = unsent;
  const url = new URL(paths.checkIn(id), unsent.url);
  const { aircraft_id: aircraftId } = await requireFlightRow(db, actor, id);
  const send = () => handleCheckIn({ ...unsent, url, params: { id } });
  const refusal = await sendWithPhotos(unsent, aircraftId, END_METERS, send);
  if (!refusal) return jsonResponse({ flightId: id });
  return refuse(refusal, async () => {
    const { completed_at: completedAt, voided_at: voidedAt } = await requireFlightRow(db, actor, id);
    // No form waits for a flight that has ended; what is broken can still be reported.
    if (completedAt ?? voidedAt) return { to: paths.flightPage(id), squawkTo: paths.addSquawk(aircraftId) };
    await saveDraft(db, actor, checkInDraftKey(id), form);
    return { to: paths.checkIn(id) };
  });
}

/** Finds the flight that an earlier try started, whose request id may be forgotten by now. */
async function findStanding(actor: Member, form: FormData, typedAt: string | undefined) {
  const { data: start } = startSchema.safeParse({
    ...Object.fromEntries(form),
    aircraftId: parseIdField(form, 'aircraftId'),
  });
  if (!start || typedAt === undefined) return undefined;
  return findExistingStart(db, actor, start, new Date(typedAt), parseRequestIdField(form));
}

interface Refusal {
  status: number;
  text: string;
  fields: string[];
}

const startSchema = startFlightSchema.pick({ aircraftId: true, startHobbsTime: true, startTachTime: true }).strip();

const MISMATCH = 422;

async function sendWithPhotos(
  { actor, form }: Unsent,
  aircraftId: number,
  meters: MeterFields[],
  send: () => Promise<Answer>,
): Promise<Refusal | undefined> {
  let scanned: string[] = [];
  const refusal = await findRefusal(async () => {
    scanned = await scanPhotosOfTypedReadings(actor, form, aircraftId, meters, parseRequestIdField(form));
    return send();
  });
  if (refusal?.status !== MISMATCH || scanned.length === 0) return refusal;
  // The screen had sent the form before the network went; it reads no photo of a reading that was typed.
  for (const name of scanned) form.delete(name);
  return findRefusal(send);
}

async function findRefusal(send: () => Promise<Answer>): Promise<Refusal | undefined> {
  try {
    return refusalOf(await send());
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unauthorized') throw error;
    const { status, text, fields } = toErrorView(error);
    return { status, text, fields: Object.keys(fields) };
  }
}

function refusalOf(answer: Answer): Refusal | undefined {
  if (answer instanceof Response) return undefined;
  if (answer instanceof KeptFormAnswer)
    return { status: 409, text: 'The photo has been read. Please check the reading and send it.', fields: [] };
  const { status, result, toast } = answer.data;
  const errors = result?.error ?? {};
  const words = [...new Set(Object.values(errors).flatMap((texts) => texts ?? []))].join(' ');
  return { status, text: words || (toast?.text ?? ''), fields: Object.keys(errors) };
}

/** Where what was typed waits, or is shown. */
type NextSteps = { to: string; squawkTo?: string };

/** Keeps a form that is refused. A refusal that may pass is the server's own error, and the form is sent again. */
async function refuse({ status, text }: Refusal, keep: () => Promise<NextSteps>): Promise<Response> {
  if (mayPass(status)) return textResponse(text, status);
  return jsonResponse({ text, ...(await keep()) }, status);
}

/** Of a flight that is gone, or a user who may not fly any more, so that it does not hold back what comes after it. */
export function refuseForGood(error: unknown): Response {
  const { status, text } = toErrorView(error);
  if (!(error instanceof AppError) || error.code === 'unauthorized' || mayPass(status)) throw error;
  return jsonResponse({ text, to: paths.dashboard }, status);
}

function mayPass(status: number): boolean {
  return status >= 500 || status === 429;
}

async function keepCheckOut(actor: Member, form: FormData, { fields }: Refusal): Promise<NextSteps> {
  const [openFlight] = await findOpenFlights(db, actor.schoolId, { userId: actor.id });
  if (openFlight) return { to: paths.checkOut };
  await saveReviewDrafts(db, actor, form);
  return { to: paths.checkOutStep(fields.some((field) => /^start(Hobbs|Tach)/.test(field)) ? 1 : 2) };
}

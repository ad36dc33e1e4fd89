import { data } from '@remix-run/node';
import type { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import {
  assertCorrectable,
  correctFlight,
  previewCorrection,
} from '#app/domain/flights/correction/correct-flight.server.ts';
import { findFlightLog, requireFlightRow } from '#app/domain/flights/queries.server.ts';
import {
  confirmationsOf,
  correctionFormSchema,
  startCorrectionFormSchema,
  toCorrectionInput,
} from '#app/domain/flights/recorded-form-schema.server.ts';
import type { CorrectionInput } from '#app/domain/flights/schema.server.ts';
import { flagText } from '#app/domain/readings/check-start.ts';
import { METER_WORDS } from '#app/domain/readings/meters.ts';
import { blankTimesAsNull, loadFlightToChange } from '#app/features/flights/flight-summary.server.ts';
import {
  GROUND_SCHOOL_OPTIONS,
  loadAllInstructorOptions,
} from '#app/features/flights/form/instructor-options.server.ts';
import { enteredValuesOf } from '#app/features/meters/photo-form.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import type { FormRequest } from '#app/server/posted-forms.server.ts';
import { handleForm } from '#app/server/screen.server.ts';
import { requireRecordedTexts } from './recorded-texts.server.ts';

export async function loadCorrection(actor: Actor, id: number) {
  const { data: page, init } = await loadFlightToChange(actor, id, () => assertCorrectable(db, actor, id));
  const instructors = await loadAllInstructorOptions(actor);
  const recorded = await requireRecordedTexts(actor, id);
  return data({ ...page, ...recorded, instructors, groundSchoolTimes: GROUND_SCHOOL_OPTIONS }, init ?? {});
}

type CorrectionRequest = FormRequest & { actor: Member; params: { id: number } };

export async function handleCorrection(context: CorrectionRequest) {
  const { completed_at } = await requireFlightRow(db, context.actor, context.params.id);
  const shared = {
    failed: 'Failed to correct the flight',
    precheck: ({ actor, params }: CorrectionRequest) => assertCorrectable(db, actor, params.id),
  };
  if (completed_at === null) {
    const run = ({ input: { readAgain, ...input }, ...rest }: Correcting<z.infer<typeof startCorrectionFormSchema>>) =>
      saveOrPreview({ ...rest, input, ticks: { readAgain } });
    return handleForm(context, { ...shared, schema: startCorrectionFormSchema, run });
  }
  const run = async ({ input, ...rest }: Correcting<z.infer<typeof correctionFormSchema>>) => {
    const log = await findFlightLog(db, rest.actor.schoolId, rest.params.id);
    return saveOrPreview({ ...rest, input: toCorrectionInput(input, log?.fuelRecords ?? []), ticks: input });
  };
  return handleForm(context, { ...shared, schema: correctionFormSchema, run });
}

interface Correcting<Input> extends CorrectionRequest {
  input: Input;
  requestId: string | undefined;
}

interface Correction extends Correcting<CorrectionInput> {
  ticks: Parameters<typeof confirmationsOf>[0];
}

async function saveOrPreview({ actor, params, form, input: entered, ticks, requestId }: Correction) {
  const input = { ...entered, ...blankTimesAsNull(form) };
  const confirmations = confirmationsOf(ticks);
  if (form.get('intent') === 'save') {
    const previewDigest = String(form.get('seen'));
    await correctFlight(db, actor, params.id, input, requestId, { ...confirmations, previewDigest });
    return redirectWithToast(paths.flightPage(params.id), successToast('Flight corrected'));
  }
  const { effects, digest, oddReadings } = await previewCorrection(db, actor, params.id, input, confirmations);
  return data({
    result: null,
    toast: null,
    status: 200,
    requestId: requestId ?? null,
    preview: {
      effects,
      digest,
      oddReadings: oddReadings.map(
        (flag) => `${flag.at === 'start' ? 'Start' : 'End'} ${METER_WORDS[flag.meter]}: ${flagText(flag)}`,
      ),
      submittedValues: enteredValuesOf(form),
    },
  });
}

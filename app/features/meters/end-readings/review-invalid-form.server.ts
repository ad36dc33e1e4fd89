import { parseWithZod } from '@conform-to/zod/v4';
import type { z } from 'zod';
import type { Row } from '#db/tables.ts';
import { parseReading } from '#app/domain/reading.ts';
import { reviewEnd } from '#app/domain/readings/review-end.server.ts';
import { db } from '#app/server/db.server.ts';

/** Throws 'invalid' with the errors of the form's fields and those of its readings, so that all are told at once. */
export async function reviewInvalidForm(log: Row<'flight_logs'>, form: FormData, schema: z.ZodType): Promise<void> {
  const errors = Object.entries(parseWithZod(form, { schema }).reply().error ?? {});
  const fields = Object.fromEntries(errors.flatMap(([name, texts]) => (texts?.[0] ? [[name, texts[0]]] : [])));
  const isChanged = [...form.keys()].some((name) => name.startsWith('meterChanges.') && name.endsWith('.changed'));
  if (isChanged) return;
  const reading = (name: string) => parseReading(String(form.get(name) ?? ''));
  const entered = {
    endHobbsTime: reading('endHobbsTime'),
    endTachTime: reading('endTachTime'),
    startHobbsTime: reading('startHobbsTime'),
    startTachTime: reading('startTachTime'),
  };
  await reviewEnd(db, log, entered, { isConfirmed: form.get('readAgain') === 'on', fields });
}

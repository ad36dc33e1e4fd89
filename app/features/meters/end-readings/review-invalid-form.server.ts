import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import type { Row } from '#db/tables.ts';
import { parseReading } from '#app/domain/reading.ts';
import { reviewEnd } from '#app/domain/readings/review-end.server.ts';
import { db } from '#app/server/db.server.ts';
import { fieldErrors } from '#app/server/parse.server.ts';

/** Throws 'invalid' with the errors of the form's fields and those of its readings, so that all are told at once. */
export async function throwFormAndReadingErrors(
  log: Row<'flight_logs'>,
  form: FormData,
  schema: z.ZodType,
): Promise<void> {
  const errors = Object.entries(parseWithZod(form, { schema }).reply().error ?? {});
  const fields = Object.fromEntries(errors.flatMap(([name, texts]) => (texts?.[0] ? [[name, texts[0]]] : [])));
  const isChanged = [...form.keys()].some((name) => name.startsWith('meterChanges.') && name.endsWith('.changed'));
  if (isChanged) return;
  await reviewReadings(log, (name) => form.get(name), { fields, isConfirmed: form.get('readAgain') === 'on' });
}

/** The same of a call's body, of which nothing is asked twice. */
export async function throwBodyAndReadingErrors(
  log: Row<'flight_logs'>,
  body: unknown,
  schema: z.ZodType,
): Promise<void> {
  const { data: values } = z.looseObject({}).safeParse(body);
  if (!values || values.meterChanges != null) return;
  await reviewReadings(log, (name) => values[name], { fields: fieldErrors(schema, body), isConfirmed: true });
}

interface Found {
  fields: Record<string, string>;
  isConfirmed: boolean;
}

async function reviewReadings(log: Row<'flight_logs'>, valueOf: (name: string) => unknown, found: Found) {
  const reading = (name: string) => {
    const value = valueOf(name);
    return typeof value === 'string' || typeof value === 'number' ? parseReading(String(value)) : undefined;
  };
  const entered = {
    endHobbsTime: reading('endHobbsTime'),
    endTachTime: reading('endTachTime'),
    startHobbsTime: reading('startHobbsTime'),
    startTachTime: reading('startTachTime'),
  };
  await reviewEnd(db, log, entered, found);
}

import { z } from 'zod';
import { MAX_EMAIL_CHARACTERS, MAX_REMARK_CHARACTERS, MIN_IMPORTED_YEAR } from '#app/limits.ts';
import { optionalTextInputSchema } from '../../field-schemas.server.ts';
import { addSquawkSchema } from '../../squawks/schema.server.ts';
import { remarkTooLongText } from '../../squawks/squawk-texts.server.ts';
import type { SquawkRecord } from '../records.ts';
import { parseMoment } from './days.ts';
import { readTailNumber } from './fleet.server.ts';
import { isNobody, parseFlag, parseSquawkState } from './known-words.ts';
import type { RowReader } from './row-reader.ts';

export const personTextSchema = z.string().max(MAX_EMAIL_CHARACTERS, `At most ${MAX_EMAIL_CHARACTERS} characters`);
const textSchema = addSquawkSchema.shape.text;
const remarkSchema = optionalTextInputSchema(MAX_REMARK_CHARACTERS, remarkTooLongText);

export function squawkParser() {
  const parse = (row: RowReader): SquawkRecord | undefined => {
    const tailNumber = readTailNumber(row);
    const text = textSchema.safeParse(row.text('text'));
    if (!text.success) row.refuse('text', text.error.issues[0]?.message ?? 'This is empty.');
    const author = row.checked('author', personTextSchema) ?? '';
    const state = row.parsed('state', parseSquawkState) ?? 'open';
    const reported = readReportedAt(row);
    const remark = remarkSchema.safeParse(row.text('remark'));
    if (!remark.success) row.refuse('remark', remarkTooLongText);
    if (tailNumber === undefined || !text.success || reported === undefined) return undefined;
    return {
      row: row.row,
      tailNumber,
      text: text.data,
      author: isNobody(author) ? null : author,
      unsafe: readUnsafe(row),
      state,
      reportedAt: reported.at,
      noon: reported.noon,
      // A squawk that was fixed needs a word on how; its state is the only one there.
      remark: remark.data || (state === 'fixed' ? row.text('state') : ''),
    };
  };
  return { parse };
}

function readUnsafe(row: RowReader): boolean {
  const flag = row.parsed('unsafe', parseFlag);
  const isReversed = /airworth|lufttüchtig|flugtauglich|navigable|aeronavegable/i.test(row.heading('unsafe') ?? '');
  return flag !== undefined && flag !== isReversed;
}

function readReportedAt(row: RowReader): { at: Date; noon: number | null } | undefined {
  row.required('reportedAt');
  const moment = row.parsed('reportedAt', (text, { dates }) => parseMoment(text, dates));
  if (!moment) return undefined;
  const [at] = row.instants('reportedAt', { ...moment, clock: moment.clock ?? '12:00' }) ?? [];
  if (at && at.getUTCFullYear() < MIN_IMPORTED_YEAR)
    row.refuse('reportedAt', `${moment.day} is before ${MIN_IMPORTED_YEAR}.`);
  if (!at) return undefined;
  const noon = moment.clock === null ? at.getTime() : null;
  if (at <= row.now) return { at, noon };
  // The noon of today may be to come.
  if (noon !== null && noon - row.now.getTime() < 86_400_000) return { at: row.now, noon };
  row.refuse('reportedAt', `${moment.day} is in the future.`);
  return undefined;
}

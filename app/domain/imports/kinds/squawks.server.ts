import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import {
  MAX_EMAIL_CHARACTERS,
  MAX_REMARK_CHARACTERS,
  MIN_IMPORTED_YEAR,
  MS_PER_DAY,
  MS_PER_HOUR,
} from '#app/limits.ts';
import { optionalTextInputSchema } from '../../field-schemas.server.ts';
import { parseReading } from '../../reading.ts';
import { addSquawkSchema } from '../../squawks/schema.server.ts';
import { remarkTooLongText, squawkTexts } from '../../squawks/squawk-texts.server.ts';
import { DayIndex } from '../group-by.ts';
import { findFleetByTail, findPeopleByName, notInFleetText } from '../plan/find-named.server.ts';
import {
  differencesFrom,
  fact,
  type Facts,
  PERSON_FACT_KIND,
  TEXT_FACT_KIND,
  FLAG_FACT_KIND,
} from '../plan/facts.server.ts';
import { type Plan, type PlanContext, type PlannedSquawk, PlanBuilder } from '../plan/plan.ts';
import type { SquawkRecord } from '../records.ts';
import { parseMoment } from '../values/moments.ts';
import { isNobody, parseFlag, parseSquawkState } from '../values/known-words.ts';
import type { RowReader } from '../values/row-reader.ts';
import { addRecords, insertInBatches, type WriteContext } from '../write/write-records.server.ts';
import { readTailNumber } from './fleet.server.ts';

export const personTextSchema = z.string().max(MAX_EMAIL_CHARACTERS, `At most ${MAX_EMAIL_CHARACTERS} characters`);
const textSchema = addSquawkSchema.shape.text;
const remarkSchema = optionalTextInputSchema(MAX_REMARK_CHARACTERS, remarkTooLongText);

const NO_STATE =
  'This says what was done, and nothing says whether the squawk is open, deferred or fixed. Please add a column "State".';

export function parseSquawk(row: RowReader): SquawkRecord | undefined {
  const tailNumber = readTailNumber(row);
  const text = row.fitting('text', textSchema);
  const author = row.checked('author', personTextSchema) ?? '';
  const reported = readReportedAt(row);
  const remark = row.fitting('remark', remarkSchema);
  const done = remark ? row.value('done') : undefined;
  const state = row.parsed('state', parseSquawkState) ?? (done === undefined ? undefined : parseSquawkState(done));
  if (remark && state === undefined) row.refuse('remark', NO_STATE);
  else if (remark && state === 'open') row.remark('remark', 'This is left out: an open squawk has no remark.');
  if (tailNumber === undefined || text === undefined || reported === undefined) return undefined;
  return {
    ...{ row: row.row, tailNumber, text, author: isNobody(author) ? null : author },
    ...{ unsafe: readUnsafe(row), state, ...reported },
    // What was fixed needs a word on how; its state is the only one there.
    remark: remark || (state === 'fixed' ? row.text('state') : ''),
    isRemarkMade: !remark,
  };
}

function readUnsafe(row: RowReader): boolean | undefined {
  const flag = row.parsed('unsafe', parseFlag);
  const isReversed = /airworth|lufttüchtig|flugtauglich|navigable|aeronavegable/i.test(row.heading('unsafe') ?? '');
  return flag === undefined ? undefined : flag !== isReversed;
}

function readReportedAt(row: RowReader): Pick<SquawkRecord, 'reportedAt' | 'noon'> | undefined {
  row.required('reportedAt');
  const moment = row.parsed('reportedAt', parseMoment);
  if (!moment) return undefined;
  const [at] = row.instants('reportedAt', { ...moment, clock: moment.clock ?? '12:00' });
  if (!at) return undefined;
  if (at.getUTCFullYear() < MIN_IMPORTED_YEAR)
    row.refuse('reportedAt', `${moment.day} is before ${MIN_IMPORTED_YEAR}.`);
  const noon = moment.clock === null ? at.getTime() : null;
  if (at <= row.now) return { reportedAt: at, noon };
  // The noon of today may be to come.
  if (noon !== null && noon - row.now.getTime() < MS_PER_DAY) return { reportedAt: row.now, noon };
  row.refuse('reportedAt', `${moment.day} is in the future.`);
  return undefined;
}

/** A squawk is known by aircraft, text and time, or by its day where no clock time was written. */
export async function planSquawks(
  db: Db | Trx,
  context: PlanContext,
  records: SquawkRecord[],
): Promise<Plan<'squawks'>> {
  const plan = new PlanBuilder<'squawks'>(context);
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const { find: findPerson, usernameOf } = await findPeopleByName(db, context.schoolId);
  const known = await findKnown(db, context.schoolId);
  const rows = new DayIndex<SquawkRecord>();
  for (const record of records) {
    const { row } = record;
    const aircraftId = findAircraft(record.tailNumber)?.id;
    const author = record.author === null ? null : findPerson(record.author);
    const until = untilOf(record);
    if (aircraftId === undefined) plan.refuse(row, 'aircraft', notInFleetText(record.tailNumber));
    else if (typeof author === 'string') plan.refuse(row, 'author', author);
    else if (!until) plan.refuse(row, 'remark', `${squawkTexts.untilRequired}, such as 2026-12-03 or Hobbs 1300.0.`);
    else if (record.reportedAt > context.now) plan.refuse(row, 'reportedAt', 'The squawk is from the future.');
    else {
      const key = keyOf(aircraftId, record.text);
      const at = record.reportedAt.getTime();
      const isTwin = (other: SquawkRecord) => isAtSameTime(record, other) || isAtSameTime(other, record);
      const first = rows.find(key, at, isTwin);
      const there = known.find(key, at, (other) => isAtSameTime(record, other));
      const planned = { ...record, aircraftId, authorId: author?.id ?? null, until };
      rows.add(key, at, record);
      if (there) {
        const differences = differencesFrom(FACTS, there, planned, { ...context, usernameOf });
        plan.foundThere(row, () => `This squawk of ${record.tailNumber}`, differences);
      } else if (first) plan.refuse(row, 'text', `The same squawk stands in row ${first.row}.`);
      else plan.added.push(planned);
    }
  }
  return plan;
}

const keyOf = (aircraftId: number, text: string) => `${aircraftId} ${text.trim()}`;

function isAtSameTime({ noon, reportedAt }: Pick<SquawkRecord, 'noon' | 'reportedAt'>, other: { reportedAt: Date }) {
  const [at, otherAt] = [reportedAt.getTime(), other.reportedAt.getTime()];
  if (noon === null) return Math.floor(at / 60_000) === Math.floor(otherAt / 60_000);
  return Math.abs(otherAt - noon) <= 12 * MS_PER_HOUR;
}

const FACTS: Facts<PlannedSquawk> = {
  author: fact(PERSON_FACT_KIND, 'author', 'who reported it', ({ authorId }) => authorId ?? undefined),
  unsafe: fact(FLAG_FACT_KIND, 'unsafe', 'unsafe to fly', ({ unsafe }) => unsafe),
  state: fact(TEXT_FACT_KIND, 'state', 'the state', ({ state }) => state),
  // What was reported has no remark.
  remark: fact(TEXT_FACT_KIND, 'remark', 'the remark', ({ state, remark, isRemarkMade }) =>
    isRemarkMade || state === undefined || state === 'open' ? undefined : remark,
  ),
};

interface KnownSquawk extends Record<string, unknown> {
  reportedAt: Date;
}

async function findKnown(db: Db | Trx, schoolId: number): Promise<DayIndex<KnownSquawk>> {
  const squawks = await db
    .selectFrom('squawks')
    .select(['aircraft_id', 'created_at as reportedAt', sql<string>`btrim(text)`.as('text'), 'user_id as author'])
    .select(({ selectFrom }) => [
      'unsafe',
      'state',
      selectFrom('squawk_events as event')
        .select('remark')
        .whereRef('event.school_id', '=', 'squawks.school_id')
        .whereRef('event.squawk_id', '=', 'squawks.id')
        .orderBy('event.id', 'desc')
        .limit(1)
        .as('remark'),
    ])
    .where('school_id', '=', schoolId)
    .execute();
  const known = new DayIndex<KnownSquawk>();
  for (const squawk of squawks) known.add(keyOf(squawk.aircraft_id, squawk.text), squawk.reportedAt.getTime(), squawk);
  return known;
}

const NEVER = { until_hobbs: null, until_tach: null, until_on: null };

/** A day, or a reading of either meter; undefined where a deferred squawk names neither. */
function untilOf({ state, remark }: SquawkRecord): PlannedSquawk['until'] | undefined {
  if (state !== 'deferred') return NEVER;
  const [day] = /\d{4}-\d{2}-\d{2}/.exec(remark) ?? [];
  if (day !== undefined && !Number.isNaN(Date.parse(day))) return { ...NEVER, until_on: day };
  const [, meter = '', text = ''] = /\b(hobbs|tach)\w*\s*([\d.,]+)/i.exec(remark) ?? [];
  const reading = parseReading(text);
  return reading === undefined ? undefined : { ...NEVER, [`until_${meter.toLowerCase()}`]: reading };
}

/** Each with its history; nobody gets a mail about those that were unsafe. */
export async function writeSquawks(context: WriteContext, { added }: Plan<'squawks'>): Promise<void> {
  const { trx, schoolId, owner } = context;
  const squawks = await addRecords(context, 'squawks', added, (squawk) => ({
    ...{ aircraft_id: squawk.aircraftId, user_id: squawk.authorId ?? owner.id, text: squawk.text },
    ...{ unsafe: squawk.unsafe ?? false, state: squawk.state ?? 'open', ...squawk.until },
    created_at: squawk.reportedAt,
  }));
  const events = squawks.flatMap(({ id, authorId, state = 'open', until, remark, reportedAt }) => {
    const event = { school_id: schoolId, squawk_id: id, user_id: authorId ?? owner.id, created_at: reportedAt };
    const opened = { ...event, ...NEVER, state: 'open', remark: '' };
    return state === 'open' ? [opened] : [opened, { ...event, ...until, state, remark: remark.trim() }];
  });
  await insertInBatches(trx, 'squawk_events', events);
}

import type { Plan, PlannedSquawk } from '../plan/plan.ts';
import { writeImportRows } from './import-rows.server.ts';
import { insertInBatches, takeIds } from './insert-rows.server.ts';
import type { WriteContext } from './write-context.ts';

/** Each with its history; nobody gets a mail about those that were unsafe. */
export async function writeSquawks(context: WriteContext, { added }: Plan<'squawks'>): Promise<void> {
  const { trx, schoolId, owner, onProgress } = context;
  const ids = await takeIds(trx, 'squawks', added.length);
  const squawks = added.map((squawk, at) => ({ ...squawk, id: ids[at] ?? 0 }));
  const rows = squawks.map(({ id, aircraftId, authorId, text, unsafe, state, until, reportedAt }) => ({
    ...{ id, school_id: schoolId, aircraft_id: aircraftId, user_id: authorId ?? owner.id, text, unsafe, state },
    ...until,
    created_at: reportedAt,
  }));
  await insertInBatches(trx, 'squawks', SQUAWK_TYPES, rows, onProgress);
  const events = squawks.flatMap((squawk) => historyOf(squawk, squawk.authorId ?? owner.id));
  await insertInBatches(
    trx,
    'squawk_events',
    EVENT_TYPES,
    events.map((event) => ({ school_id: schoolId, ...event })),
  );
  await writeImportRows(context, 'squawk_id', squawks);
}

function historyOf({ id, state, until, remark, reportedAt }: PlannedSquawk & { id: number }, user_id: number) {
  const event = { squawk_id: id, user_id, created_at: reportedAt };
  const opened = { ...event, state: 'open', until_hobbs: null, until_tach: null, until_on: null, remark: '' };
  if (state === 'open') return [opened];
  return [opened, { ...event, state, ...until, remark: remark.trim() }];
}

const SQUAWK_TYPES = {
  id: 'integer',
  school_id: 'integer',
  aircraft_id: 'integer',
  user_id: 'integer',
  text: 'text',
  unsafe: 'boolean',
  state: 'text',
  until_hobbs: 'numeric',
  until_tach: 'numeric',
  until_on: 'date',
  created_at: 'timestamptz',
};

const EVENT_TYPES = {
  school_id: 'integer',
  squawk_id: 'integer',
  user_id: 'integer',
  state: 'text',
  until_hobbs: 'numeric',
  until_tach: 'numeric',
  until_on: 'date',
  remark: 'text',
  created_at: 'timestamptz',
};

import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { pointText } from '../inspections/due-point.ts';
import { tailNumberOf } from '../inspections/save-inspection.server.ts';
import { METER_WORDS } from './meters.ts';

type Segment = Pick<Row<'meter_segments'>, 'aircraft_id' | 'meter_type' | 'old_last' | 'first_reading' | 'started_at'>;

const COLUMNS = {
  hobbs: { due: 'due_hobbs', until: 'until_hobbs', at: 'hobbs' },
  tachometer: { due: 'due_tach', until: 'until_tach', at: 'tach' },
} as const;

/** Lets inspections and deferred squawks fall due as many hours from now as they did, by the meter's new readings. */
export async function moveDuePoints(trx: Trx, actor: Member, segment: Segment): Promise<void> {
  const { old_last: from, first_reading: to } = segment;
  if (from === null || to === null || from === to) return;
  const why = `The ${METER_WORDS[segment.meter_type]} meter went from ${from} to ${to}`;
  await moveInspections(trx, actor, segment, why);
  await moveDeferrals(trx, actor, segment, why);
}

/** Moves them back after a change that was taken back. */
export async function moveDuePointsBack(trx: Trx, actor: Member, segment: Segment): Promise<void> {
  await moveDuePoints(trx, actor, { ...segment, old_last: segment.first_reading, first_reading: segment.old_last });
}

async function moveInspections(trx: Trx, actor: Member, segment: Segment, reason: string): Promise<void> {
  const { due, at } = COLUMNS[segment.meter_type];
  const before = await trx
    .selectFrom('inspections')
    .select(['id', 'name', sql<string>`${sql.ref(due)}::text`.as('value')])
    .where('school_id', '=', actor.schoolId)
    .where('aircraft_id', '=', segment.aircraft_id)
    .where('removed_at', 'is', null)
    .where(due, 'is not', null)
    // A point that was set later is one of the new meter.
    .where('changed_at', '<=', afterChange(segment))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (before.length === 0) return;
  const aircraft = await tailNumberOf(trx, segment.aircraft_id);
  for (const { id, name, value } of before) {
    const moved = await trx
      .updateTable('inspections')
      .set({ [due]: movedBy(due, segment) })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returning(sql<string>`${sql.ref(due)}::text`.as('value'))
      .executeTakeFirstOrThrow();
    await writeAuditEntry(trx, actor, {
      action: 'changed inspection',
      subject: 'inspection',
      subjectId: id,
      before: { aircraft, inspection: name, due: pointText({ at, value }, '') },
      after: { inspection: name, due: pointText({ at, value: moved.value }, '') },
      reason,
    });
  }
}

async function moveDeferrals(trx: Trx, actor: Member, segment: Segment, remark: string): Promise<void> {
  const { until } = COLUMNS[segment.meter_type];
  const moved = await trx
    .updateTable('squawks')
    .set({ [until]: movedBy(until, segment) })
    .where('school_id', '=', actor.schoolId)
    .where('aircraft_id', '=', segment.aircraft_id)
    .where('state', '=', 'deferred')
    .where(until, 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('squawk_events')
            .select('squawk_events.id')
            .whereRef('squawk_events.school_id', '=', 'squawks.school_id')
            .whereRef('squawk_events.squawk_id', '=', 'squawks.id')
            .where('squawk_events.created_at', '>', afterChange(segment)),
        ),
      ),
    )
    .returning(['id', 'until_hobbs', 'until_tach', 'until_on'])
    .execute();
  if (moved.length === 0) return;
  const event = { school_id: actor.schoolId, user_id: actor.id, state: 'deferred' as const, remark };
  await trx
    .insertInto('squawk_events')
    .values(moved.map(({ id, ...untils }) => ({ ...event, ...untils, squawk_id: id, created_at: segment.started_at })))
    .execute();
}

/** Returns the moment after the change; segments start at whole milliseconds. */
function afterChange({ started_at: startedAt }: Segment) {
  return new Date(startedAt.getTime() + 1);
}

function movedBy(column: string, { old_last: from, first_reading: to }: Segment) {
  return sql<string>`least(greatest(${sql.ref(column)} - ${from}::numeric + ${to}::numeric, 0), 999999.99)`;
}

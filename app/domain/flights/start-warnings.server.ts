import type { Db, Trx } from '#db/connect.server.ts';
import type { OverdueItem, ReadingFlag } from '#db/tables.ts';
import type { Actor } from '../actor.ts';
import { type ConditionItem, toConditionItems } from '../aircraft/find-conditions.ts';
import { formatIsoDate } from '../format.server.ts';
import { fromApiPoint } from '../inspections/schema.server.ts';
import { findDue } from '../inspections/queries.server.ts';
import { findUnfixedSquawks } from '../squawks/queries.server.ts';
import { texts } from '../texts.ts';
import { squawkTexts } from '../squawks/squawk-texts.server.ts';

interface Start {
  aircraftId: number;
  startHobbsTime: string;
  startTachTime: string;
}

/** Finds what a pilot should know before starting with these readings. */
export async function findStartWarnings(db: Db | Trx, { schoolId, timeZone }: Actor, start: Start) {
  const today = formatIsoDate(new Date(), timeZone);
  const standing = { hobbs: start.startHobbsTime, tach: start.startTachTime, today };
  const [squawks, due] = await Promise.all([
    findUnfixedSquawks(db, schoolId, start.aircraftId),
    findDue(db, schoolId, start.aircraftId, standing),
  ]);
  const unfixed = squawks.map(({ until, ...squawk }) => ({ ...squawk, until: until && fromApiPoint(until) }));
  return { squawks, due, ...itemsToTick(toConditionItems(unfixed, due, standing)) };
}

/** Items that ask for a tick, and are kept with the flight. */
export type ItemsToTick = ReturnType<typeof itemsToTick>;

/** Sorts the items by the tick that names them; a squawk is named by one tick. */
export function itemsToTick(known: ConditionItem[]) {
  const unsafe = known.filter(({ kind }) => kind === 'unsafe');
  const over = known.filter(({ kind, id }) => kind === 'deferral_over' && !unsafe.some((item) => item.id === id));
  return {
    unsafe: unsafe.map(({ id, name }) => ({ id, text: name })),
    overdue: known.filter(({ kind }) => kind === 'overdue').map(toOverdueItem),
    deferralsOver: over.map(toOverdueItem),
  };
}

function toOverdueItem({ id, name, text }: ConditionItem): OverdueItem {
  return { id, name, text };
}

/** The ticks of a form, each with the ids of what stood beside it. */
export interface StartConfirmations {
  readAgain?: boolean | undefined;
  unsafeRead?: boolean | undefined;
  unsafeIds?: string | undefined;
  overdueRead?: boolean | undefined;
  overdueIds?: string | undefined;
  deferralsRead?: boolean | undefined;
  deferralIds?: string | undefined;
}

/** Returns the errors of missing ticks, by field; a squawk reported after the form was shown needs another look. */
export function missingTickErrors(
  { unsafe, overdue, deferralsOver, flags }: ItemsToTick & { flags: ReadingFlag[] },
  ticks: StartConfirmations,
): Record<string, string> {
  return {
    ...(flags.length > 0 && !ticks.readAgain && { readAgain: texts.readAgain }),
    ...(!isRead(unsafe, ticks.unsafeRead, ticks.unsafeIds) && { unsafeRead: squawkTexts.unsafeNotRead }),
    ...(!isRead(overdue, ticks.overdueRead, ticks.overdueIds) && { overdueRead: squawkTexts.overdueNotRead }),
    ...(!isRead(deferralsOver, ticks.deferralsRead, ticks.deferralIds) && {
      deferralsRead: squawkTexts.deferralsNotRead,
    }),
  };
}

function isRead(items: { id: number }[], isTicked = false, ids = ''): boolean {
  return items.length === 0 || (isTicked && items.every(({ id }) => ids.split(' ').includes(String(id))));
}

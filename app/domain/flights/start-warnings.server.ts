import type { Db, Trx } from '#db/connect.server.ts';
import type { OverdueInspection, UnsafeSquawk } from '#db/tables.ts';
import { MAX_SQUAWK_LABEL_CHARACTERS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { formatIsoDate } from '../format.server.ts';
import { isReached, type Standing } from '../inspections/due-point.ts';
import { fromApiPoint } from '../inspections/due-point-schema.server.ts';
import { type DueItem, findDue } from '../inspections/queries.server.ts';
import { findUnfixedSquawks } from '../squawks/queries.server.ts';
import type { Squawk } from '../squawks/schema.server.ts';
import { squawkTexts } from '../squawks/squawk-texts.server.ts';

interface Start {
  aircraftId: number;
  startHobbsTime: string;
  startTachTime: string;
}

export interface StartWarnings {
  /** All that are not fixed. */
  squawks: Squawk[];
  due: DueItem[];
  /** What asks for a tick, and is kept with the flight. */
  unsafe: UnsafeSquawk[];
  overdue: OverdueInspection[];
}

/** What a pilot should know before starting with these readings. */
export async function findStartWarnings(
  db: Db | Trx,
  { schoolId, timeZone }: Actor,
  start: Start,
): Promise<StartWarnings> {
  const today = formatIsoDate(new Date(), timeZone);
  const standing = { hobbs: start.startHobbsTime, tach: start.startTachTime, today };
  const [squawks, due] = await Promise.all([
    findUnfixedSquawks(db, schoolId, start.aircraftId),
    findDue(db, schoolId, start.aircraftId, standing),
  ]);
  return {
    squawks,
    due,
    unsafe: squawks
      .filter((squawk) => squawk.unsafe && isInForce(squawk, standing))
      .map(({ id, text }) => ({ id, text: shortened(text) })),
    overdue: due.filter(({ isOverdue }) => isOverdue).map(({ id, name, text }) => ({ id, name, text })),
  };
}

/** The ticks of a form, each with the ids of what stood beside it. */
export interface StartConfirmations {
  unsafeRead?: boolean | undefined;
  unsafeIds?: string | undefined;
  overdueRead?: boolean | undefined;
  overdueIds?: string | undefined;
}

/** The errors of missing ticks, by field; what was reported after the form was shown needs another look. */
export function missingTicks({ unsafe, overdue }: StartWarnings, ticks: StartConfirmations): Record<string, string> {
  const isRead = (items: { id: number }[], isTicked = false, ids = '') =>
    items.length === 0 || (isTicked && items.every(({ id }) => ids.split(' ').includes(String(id))));
  return {
    ...(!isRead(unsafe, ticks.unsafeRead, ticks.unsafeIds) && { unsafeRead: squawkTexts.unsafeNotRead }),
    ...(!isRead(overdue, ticks.overdueRead, ticks.overdueIds) && { overdueRead: squawkTexts.overdueNotRead }),
  };
}

/** An administrator who defers one has judged it, until the deferral has run out. */
function isInForce({ state, until }: Squawk, standing: Standing): boolean {
  if (state === 'open' || until === null) return true;
  return isReached(fromApiPoint(until), standing);
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  if (characters.length <= MAX_SQUAWK_LABEL_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MAX_SQUAWK_LABEL_CHARACTERS - 1).join('')}…`;
}

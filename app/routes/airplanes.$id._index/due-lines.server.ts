import { dayText } from '#app/domain/inspections/due-point.ts';
import { intervalText, usedShare } from '#app/domain/inspections/interval.ts';
import { findDue, findLastCompletions, type LastCompletion } from '#app/domain/inspections/queries.server.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { db } from '#app/server/db.server.ts';

type Standing = Parameters<typeof findDue>[3];

/** Loads what is due on an aircraft, how much of its interval is used, and when it was last done. */
export async function loadDueLines(schoolId: number | null, aircraftId: number, standing: Standing) {
  const [due, completions] = await Promise.all([
    findDue(db, schoolId, aircraftId, standing),
    findLastCompletions(db, schoolId, aircraftId),
  ]);
  return due.map((item) => ({
    ...toDueView(item),
    used: usedShare(item.due, item.interval, standing),
    every: item.interval && `every ${intervalText(item.interval)}`,
    lastDone: lastDoneText(completions, item.id, standing.today),
  }));
}

function lastDoneText(completions: LastCompletion[], id: number, today: string): string | null {
  const done = completions.find(({ inspectionId }) => inspectionId === id);
  if (!done) return null;
  const at = done.doneAt === null ? '' : ` at ${done.doneAt}`;
  return `Last done ${dayText(done.doneOn, today)}${at} by ${done.by}${done.remark && `: ${done.remark}`}`;
}

import type { Actor } from '#app/domain/actor.ts';
import { formatDateTime, formatIsoDate } from '#app/domain/format.server.ts';
import { pointText } from '#app/domain/inspections/due-point.ts';
import { fromApiPoint } from '#app/domain/inspections/schema.server.ts';
import { markedName, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import type { Squawk } from '#app/domain/squawks/schema.server.ts';
import { SQUAWK_STATE_LABELS } from '#app/domain/squawks/squawk-states.ts';

export type SquawkView = ReturnType<typeof toSquawkView>;

export function toSquawkView(
  { author, createdAt, until, history, flightLogId, ...squawk }: Squawk,
  reader: Actor,
  marks: NamesakeMarks,
) {
  return {
    id: squawk.id,
    text: squawk.text,
    unsafe: squawk.unsafe,
    state: squawk.state,
    deferralOver: squawk.deferralOver,
    photos: squawk.photos,
    flightLogId,
    by: markedName(marks, author),
    at: formatDateTime(createdAt, reader.timeZone),
    until: untilText(until, reader),
    history: history.map(({ state, remark, by, at, until: untilThen }, index) => ({
      what: index === 0 ? 'Reported' : state === 'open' ? 'Reopened' : SQUAWK_STATE_LABELS[state],
      until: untilText(untilThen, reader),
      remark,
      by: markedName(marks, by),
      at: formatDateTime(at, reader.timeZone),
    })),
  };
}

function untilText(until: Squawk['until'], { timeZone }: Actor): string | null {
  return until && `until ${pointText(fromApiPoint(until), formatIsoDate(new Date(), timeZone))}`;
}

import type { Actor } from '#app/domain/actor.ts';
import { ACTION_GROUPS } from '#app/domain/audit/actions.ts';
import { findRecordCheck } from '#app/domain/audit/check-record.server.ts';
import {
  type ActivityEvent,
  type ActivityFilter,
  findActivityPage,
  findActivityPeople,
} from '#app/domain/audit/queries.server.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import type { PageCursors } from '#app/domain/list-pages.server.ts';
import { formatDate, formatDateTime, formatIsoDate } from '#app/domain/format.server.ts';
import { describeDetails, describeEvent } from '#app/features/activity/describe-event.ts';
import { peopleOptions } from '#app/features/flights/filter-options.server.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { formatCursor } from '#app/server/query-values.server.ts';
import { db } from '#app/server/db.server.ts';

export type ActivityEntry = ReturnType<typeof toEntry>;

export async function loadActivity(actor: Actor, { userId: person, ...more }: ActivityFilter, place: PageCursors) {
  const { schoolId, timeZone } = actor;
  const filter = { person, ...more };
  const { rows, older, newer } = await findActivityPage(db, { schoolId, timeZone, userId: person, ...more }, place);
  return {
    filter,
    events: rows.map((event) => toEntry(event, timeZone)),
    people: await findPeopleOptions(actor),
    kinds: KIND_OPTIONS,
    check: schoolId === null ? undefined : await describeCheck(schoolId, timeZone),
    older: older && serverOnlyPaths.activityPage({ ...filter, after: formatCursor(older) }),
    newer: newer && serverOnlyPaths.activityPage({ ...filter, before: formatCursor(newer) }),
  };
}

/** Returns 'Checked against its record today: 30,054 flights, no difference'; undefined before the first check. */
async function describeCheck(schoolId: number, timeZone: string): Promise<string | undefined> {
  const check = await findRecordCheck(db, schoolId);
  if (!check) return undefined;
  const { at, flights, differences } = check;
  const counted = (count: number, one: string) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;
  const result =
    differences === 0
      ? 'no difference'
      : `${counted(differences, 'difference')}. The operator’s doctor command names each.`;
  const isToday = formatIsoDate(at, timeZone) === formatIsoDate(new Date(), timeZone);
  const day = isToday ? 'today' : `on ${formatDate(at, timeZone).text}`;
  return `Checked against its record ${day}: ${counted(flights, 'flight')}, ${result}`;
}

function toEntry(event: ActivityEvent, timeZone: string) {
  const { id, createdAt, person, address, outcome } = event;
  return {
    id,
    at: formatDateTime(createdAt, timeZone),
    sentence: describeEvent(event),
    details: describeDetails(event),
    person,
    address,
    isRefused: outcome === 'refused',
  };
}

async function findPeopleOptions(actor: Actor) {
  const people = await findActivityPeople(db, actor.schoolId);
  const marks = await findNamesakeMarks(db, actor);
  return [{ value: '', label: 'Everybody' }, ...peopleOptions({ people, marks })];
}

const KIND_OPTIONS = [
  { value: '', label: 'Everything' },
  ...Object.entries(ACTION_GROUPS).map(([group, { label, actions }]) => ({
    label,
    options: [
      { value: group, label: `${label}: all` },
      ...Object.entries(actions).map(([value, name]) => ({ value, label: name })),
    ],
  })),
];

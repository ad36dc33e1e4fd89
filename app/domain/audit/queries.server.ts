import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { CURSOR_BATCH_ROWS } from '#app/limits.ts';
import { startOfDay } from '../database-clock.server.ts';
import { findPage, isOnPage, PAGE_QUERY_ROWS, type PageCursors } from '../list-pages.server.ts';
import { actionsOfKind } from './actions.ts';

export interface ActivityFilter {
  userId?: number | undefined;
  kind?: string | undefined;
  /** First day in the school's time zone, as '2026-05-12'; both days are included. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface ActivityQuery extends ActivityFilter {
  schoolId: number | null;
  timeZone: string;
}

/** Finds the newest page, or the one older than `after` or newer than `before`, as for flight logs. */
export function findActivityPage(db: Db, query: ActivityQuery, cursors: PageCursors) {
  return findPage(cursors, async (at) => {
    const found = await activityQuery(db, query)
      .where(isOnPage('audit_entries', at))
      .orderBy('audit_entries.created_at', at.before ? 'asc' : 'desc')
      .orderBy('audit_entries.id', at.before ? 'asc' : 'desc')
      .limit(PAGE_QUERY_ROWS)
      .execute();
    return (at.before ? found.toReversed() : found).map(toEvent);
  });
}

/** Reads through a cursor in batches, so that memory stays flat. */
export async function* streamActivity(db: Db, query: ActivityQuery) {
  const rows = activityQuery(db, query).orderBy('audit_entries.created_at', 'desc').orderBy('audit_entries.id', 'desc');
  for await (const row of rows.stream(CURSOR_BATCH_ROWS)) yield toEvent(row);
}

/** Finds everybody the activity can be about, by name; deleted users last. */
export function findActivityPeople(db: Db, schoolId: number | null) {
  return db
    .selectFrom('users')
    .select(['id', 'username', sql<boolean>`deleted_at is not null`.as('isDeleted')])
    .where('school_id', '=', schoolId)
    .orderBy('username_key')
    .orderBy('id')
    .execute();
}

function activityQuery(db: Db, { schoolId, timeZone, userId, kind, from, to }: ActivityQuery) {
  return db
    .selectFrom('audit_entries')
    .leftJoin('users as actor', 'actor.id', 'audit_entries.user_id')
    .leftJoin('audit_emails', 'audit_emails.entry_id', 'audit_entries.id')
    .leftJoin('users as subject_user', (join) =>
      join
        .on('audit_entries.subject', '=', 'user')
        .onRef('subject_user.id', '=', 'audit_entries.subject_id')
        .onRef('subject_user.school_id', '=', 'audit_entries.school_id'),
    )
    .leftJoin('aircraft', (join) =>
      join
        .on('audit_entries.subject', '=', 'aircraft')
        .onRef('aircraft.id', '=', 'audit_entries.subject_id')
        .onRef('aircraft.school_id', '=', 'audit_entries.school_id'),
    )
    .leftJoin('invitations', (join) =>
      join
        .on('audit_entries.subject', '=', 'invitation')
        .onRef('invitations.id', '=', 'audit_entries.subject_id')
        .onRef('invitations.school_id', '=', 'audit_entries.school_id'),
    )
    .select(['audit_entries.id', 'audit_entries.created_at', 'action', 'subject', 'subject_id', 'before', shownAfter])
    .select(['reason', 'outcome', 'times', 'audit_entries.address', 'request_id', 'audit_emails.email'])
    .select(['actor.username as person', 'invitations.email as invited'])
    .select((eb) => eb.fn.coalesce('subject_user.username', 'aircraft.tail_number', 'invitations.name').as('about'))
    .where('audit_entries.school_id', '=', schoolId)
    .$if(userId !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('audit_entries.user_id', '=', userId ?? 0),
          eb.and([eb('subject', '=', 'user'), eb('subject_id', '=', userId ?? 0)]),
        ]),
      ),
    )
    .where(kind === undefined ? isOfPeople : sql<boolean>`action = any(${actionsOfKind(kind)}::text[])`)
    .$if(from !== undefined, (rows) => rows.where('audit_entries.created_at', '>=', startOfDay(from ?? '', timeZone)))
    .$if(to !== undefined, (rows) => rows.where('audit_entries.created_at', '<', startOfDay(to ?? '', timeZone, 1)));
}

/** Each change of a row has an event of this kind beside that of the person, so they are listed for those who ask for them. */
const isOfPeople = sql<boolean>`action <> 'recorded rows'`;

/** Without what a thousand rows say. */
const shownAfter = sql<object | null>`
  case when subject_id is null and action in ('recorded rows', 'changed by hand', 'accepted rows') then null else after end`.as(
  'after',
);

type ActivityRow = Awaited<ReturnType<ReturnType<typeof activityQuery>['execute']>>[number];
export type ActivityEvent = ReturnType<typeof toEvent>;

function toEvent({ created_at, subject_id, request_id, before, after, email, invited, ...rest }: ActivityRow) {
  return {
    ...rest,
    createdAt: created_at.toISOString(),
    subjectId: subject_id,
    requestId: request_id,
    before: toValues(before),
    after: toValues(after),
    email: email ?? (invited || null),
  };
}

function toValues(json: object | null): Record<string, unknown> {
  return { ...json };
}

import type { Actor } from '#app/domain/actor.ts';
import { findFilterChoices } from '#app/domain/flights/logbook/people.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { findUsers } from '#app/domain/people/queries.server.ts';
import { INSTRUCTING_ROLES } from '#app/domain/permissions.ts';
import { db } from '#app/server/db.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';
import { instructorOptions } from '../filter-options.server.ts';
import { GROUND_SCHOOL_CHOICES_HOURS } from '#app/domain/flights/schema.server.ts';

const FAILED = 'Failed to fetch instructors';

/** Who may teach now; the form works without them. */
export function loadInstructorOptions(actor: Actor) {
  return loadOrFailure(findInstructors(actor), FAILED);
}

/** Who may have taught: former people too. */
export function loadAllInstructorOptions(actor: Actor) {
  return loadOrFailure(findFilterChoices(db, actor).then(instructorOptions), FAILED);
}

async function findInstructors(actor: Actor) {
  const users = await findUsers(db, actor.schoolId, INSTRUCTING_ROLES);
  const marks = await findNamesakeMarks(db, actor);
  return users.map((user) => ({ value: String(user.id), label: markedName(marks, user) }));
}

export const GROUND_SCHOOL_OPTIONS = GROUND_SCHOOL_CHOICES_HOURS.map((hours) => ({
  value: hours,
  label: hours === '1' ? '1 hour' : `${hours} hours`,
}));

import { insert } from '#tests/support/rows.ts';
import type { JourneyContext } from './journey.ts';

/** As many flights as fill a page of the list, eight a day until yesterday, by pilots with usual names. */
export async function flyForDays({ school, db }: JourneyContext, count: number) {
  // As wide for every school: the list is measured.
  const suffix = String(school.id).padStart(3, '0');
  const instructor = await school.user('instructor', `ingrid.armstrong${suffix}`);
  const pilots = [
    await school.user('student', `dana${suffix}`),
    await school.user('student', `leo.featherstone${suffix}`),
  ];
  const planes = [await school.aircraft(), await school.aircraft()];
  const start = Date.now() - 86_400_000;
  const readings = { start_hobbs: '100.0', start_tach: '90.0', end_hobbs: '100.1', end_tach: '90.1' };
  const flights = Array.from({ length: count }, (_, index) => {
    const at = start - index * 3 * 3_600_000;
    const [user_id, aircraft_id] = [pilots[index % 2]?.id ?? 0, planes[index % 2]?.id ?? 0];
    return {
      ...{ school_id: school.id, aircraft_id, user_id, ...readings, completed_by: user_id },
      ...{ created_at: new Date(at), completed_at: new Date(at + 3_600_000) },
      ...(index % 2 && { instructor_id: instructor.id }),
    };
  });
  await insert(db, 'flight_logs', ...flights);
}

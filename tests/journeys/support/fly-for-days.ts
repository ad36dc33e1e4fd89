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
  await db
    .insertInto('flight_logs')
    .values(
      Array.from({ length: count }, (_, index) => ({
        school_id: school.id,
        aircraft_id: planes[index % 2]?.id ?? 0,
        user_id: pilots[index % 2]?.id ?? 0,
        start_hobbs: '100.0',
        start_tach: '90.0',
        end_hobbs: '100.1',
        end_tach: '90.1',
        created_at: new Date(start - index * 3 * 3_600_000),
        completed_at: new Date(start - index * 3 * 3_600_000 + 3_600_000),
        completed_by: pilots[index % 2]?.id ?? 0,
        ...(index % 2 && { instructor_id: instructor.id }),
      })),
    )
    .execute();
}

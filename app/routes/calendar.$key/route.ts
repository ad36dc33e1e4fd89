import { findCalendarFlights, findCalendarInspections } from '#app/domain/calendar/queries.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { digestOf, isKnownEntityTag, notModified, textResponse } from '#app/server/api/api-responses.server.ts';
import { calendarFile, requireCalendarReader } from '#app/server/calendar.server.ts';
import { db } from '#app/server/db.server.ts';

/** The secret address opens an aircraft's calendar to programs, which cannot sign in. */
export const loader = apiResource({
  GET: async ({ request, params }) => {
    const { reader, aircraft } = await requireCalendarReader(request, params.key ?? '');
    const [flights, inspections] = await Promise.all([
      findCalendarFlights(db, reader, aircraft.id),
      findCalendarInspections(db, reader.schoolId, aircraft.id),
    ]);
    const text = calendarFile({ aircraft, flights, inspections }, new Date());
    const headers = { etag: `"${digestOf(text)}"`, 'cache-control': 'private, no-cache' };
    if (isKnownEntityTag(request, headers.etag)) return notModified(headers);
    return textResponse(text, 200, { ...headers, 'content-type': 'text/calendar; charset=utf-8' });
  },
});
export const action = loader;

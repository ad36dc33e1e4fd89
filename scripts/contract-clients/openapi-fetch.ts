import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';
import * as payloads from './payloads.ts';

const client = createClient<paths>({ headers: { authorization: 'Bearer fl_' } });
const params = { path: { id: 7 } };

export async function callAll(): Promise<string[]> {
  await client.GET('/api/user');
  await client.POST('/api/login', { body: payloads.signIn });
  await client.POST('/api/logout');
  await client.GET('/api/flight-school');
  await client.PUT('/api/flight-school', { body: payloads.school });
  await client.GET('/api/flight-logs/open');
  await client.GET('/api/invitations/{key}', { params: { path: { key: 'aZ4' } } });
  await client.POST('/api/register', { body: payloads.invited });
  await client.POST('/api/register', { body: payloads.added });
  await client.GET('/api/aircraft', { params: { query: { flightSchoolId: 1 } } });
  await client.POST('/api/aircraft', { body: payloads.aircraft });
  await client.PUT('/api/aircraft/{id}/status', { params, body: payloads.maintenance });
  await client.PUT('/api/aircraft/{id}/status', { params, body: payloads.available });
  await client.DELETE('/api/aircraft/{id}', { params });
  await client.GET('/api/users', { params: { query: { role: 'instructor,administrator' } } });
  await client.DELETE('/api/users/{id}', { params });
  await client.POST('/api/analyze-image', { body: payloads.photo });
  await client.GET('/api/ocr-results');
  await client.POST('/api/flight-logs', { body: payloads.checkOut });
  const { data: flights = [] } = await client.GET('/api/flight-logs', {
    params: { query: { aircraftId: 7, limit: 5 } },
  });
  await client.GET('/api/flight-logs/export', { params: { query: { aircraftId: 7 } }, parseAs: 'text' });
  await client.GET('/api/flight-logs/{id}', { params });
  await client.POST('/api/flight-logs/{id}/complete', { params, body: payloads.checkIn });
  await client.POST('/api/invitations', { body: payloads.invitation });
  await client.GET('/api/invitations');
  await client.DELETE('/api/invitations/{key}', { params: { path: { key: '7' } } });
  // A list with `since` may say that a flight was removed.
  return flights.map((flight) =>
    flight.status === 'removed' ? '' : `${flight.aircraft.tailNumber} ${flight.hobbsHours ?? ''}`,
  );
}

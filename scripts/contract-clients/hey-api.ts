import * as calls from './generated/hey-api/index.ts';
import * as payloads from './payloads.ts';

const path = { id: 7 };

export async function callAll(): Promise<string[]> {
  await calls.getAccount();
  await calls.signIn({ body: payloads.signIn });
  await calls.signOut();
  await calls.getSchool();
  await calls.saveSchool({ body: payloads.school });
  await calls.listOpenFlights();
  await calls.findInvitation({ path: { key: 'aZ4' } });
  await calls.register({ body: payloads.invited });
  await calls.register({ body: payloads.added });
  await calls.listAircraft({ query: { flightSchoolId: 1 } });
  await calls.addAircraft({ body: payloads.aircraft });
  await calls.setAircraftStatus({ path, body: payloads.maintenance });
  await calls.setAircraftStatus({ path, body: payloads.available });
  await calls.deleteAircraft({ path });
  await calls.listUsers({ query: { role: 'instructor,administrator' } });
  await calls.deleteUser({ path });
  await calls.readMeter({ body: payloads.photo });
  await calls.listScans();
  await calls.startFlight({ body: payloads.checkOut });
  const { data: flights = [] } = await calls.listFlightLogs({ query: { aircraftId: 7, limit: 5 } });
  await calls.exportFlightLogs({ query: { aircraftId: 7 } });
  await calls.getFlightLog({ path });
  await calls.completeFlight({ path, body: payloads.checkIn });
  await calls.sendInvitation({ body: payloads.invitation });
  await calls.listInvitations();
  await calls.deleteInvitation({ path: { key: '7' } });
  // A list with `since` may say that a flight was removed.
  return flights.map((flight) =>
    flight.status === 'removed' ? '' : `${flight.aircraft.tailNumber} ${flight.hobbsHours ?? ''}`,
  );
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Person, Shift } from './client.ts';

/** A flight that its pilot leaves to the administrator to close. */
export interface Handover {
  flightId: number;
  start: number;
  done: () => void;
}

const openFlights = z.array(z.looseObject({ id: z.number(), user: z.looseObject({ id: z.number() }) }));

/** Checks an aircraft out and in again, by form and by call in turn, with readings that nobody else enters. */
export async function fly(pilot: Person, aircraftId: number, left: Handover[], { goesOn, random }: Shift) {
  for (let number = 1; goesOn(); number += 1) {
    await sleep(10 + random() * 40);
    const start = 100 + number * 2;
    await checkOut(pilot, aircraftId, start, random() < 0.5);
    const flightId = await findOpenFlight(pilot, goesOn);
    if (flightId === undefined) continue;
    const luck = random();
    if (luck < 0.1) await cancel(pilot, flightId);
    else if (luck < 0.16 && goesOn()) await leaveToAdministrator(left, flightId, start);
    else await checkIn(pilot, flightId, start, random() < 0.5, random() < 0.2);
  }
}

function checkOut({ client, id }: Person, aircraftId: number, start: number, byForm: boolean) {
  const readings = { startHobbsTime: `${start}.0`, startTachTime: `${start}.0` };
  const marker = `check-out ${id} ${start}.0`;
  if (!byForm) return client.write({ marker, path: '/api/flight-logs', json: { aircraftId, ...readings } });
  const form = { aircraftId: String(aircraftId), ...readings, readAgain: 'on' };
  return client.write({ marker, path: '/flight-log?step=2', form });
}

/** Asks until it is answered; undefined once nobody works any more or the flight is none of this pilot's. */
async function findOpenFlight({ client, id }: Person, goesOn: () => boolean): Promise<number | undefined> {
  for (let tries = 0; goesOn() || tries < 20; tries += 1) {
    const answer = await client.read('/api/flight-logs/open');
    if (answer?.status === 200) {
      return openFlights.parse(JSON.parse(answer.text)).find(({ user }) => user.id === id)?.id;
    }
    await sleep(200);
  }
  return undefined;
}

function checkIn({ client }: Person, flightId: number, start: number, byForm: boolean, withOil: boolean) {
  const notes = `check-in ${randomUUID()}`;
  const readings = { endHobbsTime: `${start + 1}.5`, endTachTime: `${start + 1}.2`, notes };
  if (byForm) {
    const form = { ...readings, ...(withOil && { oilAdded: 'on', oilQuantity: '1.5' }) };
    return client.write({ marker: notes, path: `/flight-log/${flightId}/post-check`, form });
  }
  const fuelRecords = withOil ? [{ refueled: false, oilAdded: true, oilQuantity: '1.5' }] : [];
  return client.write({
    marker: notes,
    path: `/api/flight-logs/${flightId}/complete`,
    json: { ...readings, fuelRecords },
  });
}

function cancel({ client }: Person, flightId: number) {
  const reason = `cancel ${randomUUID()}`;
  return client.write({ marker: reason, path: `/flight-logs/${flightId}/cancel`, form: { reason } });
}

function leaveToAdministrator(left: Handover[], flightId: number, start: number): Promise<void> {
  return new Promise((done) => left.push({ flightId, start, done }));
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Person, Shift } from './client.ts';

const HOUR_MS = 3_600_000;
const FIRST_DEPARTURE = Date.parse('2026-01-01T08:00:00Z');
const MAX_IMPORTS = 15;
/** The polls last three minutes: a statement of an import may wait two on a connection that fell silent. */
const IMPORT_POLLS = 600;

const imported = z.looseObject({ id: z.number(), state: z.string(), failure: z.string().nullable() });

/** Enters flights from paper, and imports aircraft from files. */
export async function keepBooks(clerk: Person, aircraftId: number, { goesOn, random }: Shift) {
  for (let flights = 0, imports = 0; goesOn();) {
    await sleep(50 + random() * 150);
    if (random() < 0.2 && imports < MAX_IMPORTS) {
      imports += 1;
      await importAircraft(clerk);
    } else {
      flights += 1;
      await enterPastFlight(clerk, aircraftId, flights);
    }
  }
}

/** Enters flights one after the other, so that none overlaps. */
function enterPastFlight({ client, id }: Person, aircraftId: number, number: number) {
  const departure = FIRST_DEPARTURE + number * 2 * HOUR_MS;
  const notes = `past ${randomUUID()}`;
  const json = {
    ...{ aircraftId, pilotId: id, notes, reason: 'On paper' },
    departedAt: new Date(departure).toISOString(),
    landedAt: new Date(departure + HOUR_MS).toISOString(),
    ...{ startHobbsTime: `${number}.0`, endHobbsTime: `${number}.9` },
    ...{ startTachTime: `${number}.0`, endTachTime: `${number}.8` },
  };
  return client.write({ marker: notes, path: '/api/flight-logs/past', json });
}

/**
 * Imports a file. It is acknowledged once it is taken, and polled until its rows are written or the import says why
 * not.
 */
async function importAircraft({ client }: Person) {
  const tailNumber = `N${randomUUID().slice(0, 12).toUpperCase()}`;
  const file = `Tail Number,Make,Model,Year\n${tailNumber},Cessna,152,1980`;
  const marker = `aircraft ${tailNumber}`;
  const taken = await client.write({ marker, path: '/api/imports', file: { kind: 'fleet', content: file } });
  if (!taken) return;
  let { id, state, failure } = imported.parse(JSON.parse(taken.text));
  for (let poll = 0; state !== 'applied' && failure === null && poll < IMPORT_POLLS; poll += 1) {
    await sleep(300);
    const answer = await client.read(`/api/imports/${id}`);
    if (answer?.status === 200) ({ id, state, failure } = imported.parse(JSON.parse(answer.text)));
  }
  if (failure !== null) client.noteRefusal(marker);
}

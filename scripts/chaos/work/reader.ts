import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '../random.ts';
import type { Person, Shift } from './shift.ts';

const PAGES = ['/', '/flight-logs', '/airplanes', '/users', '/api/flight-logs', '/readyz'];
const MAX_EXPORTS = 15;

/** Looks at pages, and now and then downloads the flight log. */
export async function read({ client }: Person, { goesOn, random }: Shift) {
  for (let exports = 0; goesOn();) {
    await sleep(100 + random() * 200);
    if (random() < 0.1 && exports < MAX_EXPORTS) {
      exports += 1;
      await client.read('/api/flight-logs/export');
    } else {
      await client.read(pick(random, PAGES));
    }
  }
}

import type { Fault } from './fault.ts';
import { appFaults } from './faults/app.ts';
import { connectionFaults } from './faults/connections.ts';
import { postgresFaults } from './faults/postgres.ts';

/** Every fault that `npm run chaos` tries, in this order. */
export const FAULTS: readonly Fault[] = [...appFaults, ...postgresFaults, ...connectionFaults];

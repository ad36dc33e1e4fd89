import { cutOperations } from './cuts/operations.ts';
import { cutRequests } from './cuts/requests.ts';
import type { Fault } from './fault.ts';
import { appFaults, embeddedFaults, rollingRestart } from './faults/app.ts';
import { backupFaults } from './faults/backups.ts';
import { clientFaults } from './faults/clients.ts';
import { clockFaults, diskFaults } from './faults/machine.ts';
import { connectionFaults } from './faults/connections.ts';
import { mailFaults } from './faults/mail.ts';
import { migrationFaults } from './faults/migrations.ts';
import { postgresFaults } from './faults/postgres.ts';
import { webhookFaults } from './faults/webhooks.ts';

/** Every fault that `npm run chaos` tries, in this order. */
export const FAULTS: readonly Fault[] = [
  // The cuts run while the tables, whose rows they count, are small.
  ...[cutOperations, cutRequests],
  ...appFaults,
  rollingRestart,
  ...postgresFaults,
  ...connectionFaults,
  ...clientFaults,
  ...mailFaults,
  ...webhookFaults,
  ...clockFaults,
  ...diskFaults,
  ...embeddedFaults,
  ...migrationFaults,
  ...backupFaults,
];

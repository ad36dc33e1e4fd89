import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrewFault } from '../fault.ts';
import { startLab } from '../lab/lab.ts';

const ownLab = () => startLab({ isEmbedded: true });

export const embeddedFaults: CrewFault[] = [
  {
    name: 'embedded-killed',
    does: 'kill -9 of the embedded postmaster, three times; the app starts it again.',
    ownLab,
    harm: async ({ lab, crew }) => {
      for (let time = 0; time < 3; time += 1) {
        await lab.postgres.endEmbedded('SIGKILL');
        await sleep(500);
        await crew.acknowledges(8, 20_000);
      }
    },
  },
  {
    name: 'embedded-cannot-start',
    does: 'The embedded Postgres stopped at once, and its log files out of reach for 15 seconds.',
    ownLab,
    harm: async ({ lab }) => {
      const log = path.join(lab.postgres.paths.dataFolder, 'pg_wal');
      await rename(log, `${log}.away`);
      await lab.postgres.endEmbedded('SIGQUIT');
      await sleep(15_000);
      await rename(`${log}.away`, log);
    },
  },
];

import { setTimeout as sleep } from 'node:timers/promises';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { CrewFault, Scene } from '../fault.ts';
import type { App } from '../lab/app.ts';
import { appOf, removeSecond, startLab } from '../lab/lab.ts';
import { hasNginx, type Nginx, startNginx } from '../lab/nginx.ts';

export const appFaults: CrewFault[] = [
  {
    name: 'nothing',
    does: 'No harm: what the others are compared with.',
    harm: async () => {},
  },
  {
    name: 'app-killed',
    does: 'kill -9 of the app, five times; started again at once.',
    harm: (scene) => repeat(5, scene, () => restart(appOf(scene.lab), 'SIGKILL')),
  },
  {
    name: 'app-terminated',
    does: 'SIGTERM to the app, three times; started again once it has ended.',
    harm: (scene) => repeat(3, scene, () => restart(appOf(scene.lab), 'SIGTERM')),
  },
  {
    name: 'app-paused',
    does: 'SIGSTOP of the app for 5 seconds, then SIGCONT.',
    harm: async ({ lab, crew }) => {
      appOf(lab).signal('SIGSTOP');
      await sleep(5000);
      crew.ledger.beginWaits();
      appOf(lab).signal('SIGCONT');
    },
  },
  {
    name: 'one-of-two-killed',
    does: 'Two processes on one database, one of them killed by kill -9, three times.',
    prepare: async (lab) => void (await lab.addApp()),
    harm: (scene) => repeat(3, scene, () => restart(appOf(scene.lab), 'SIGKILL')),
    restore: removeSecond,
  },
];

async function repeat(times: number, { crew, isBrief }: Scene, harm: () => Promise<void>): Promise<void> {
  for (let time = 0; time < (isBrief ? 1 : times); time += 1) {
    await harm();
    await crew.acknowledges(8, 10_000);
  }
}

async function restart(app: App, signal: NodeJS.Signals): Promise<void> {
  await app.end(signal);
  await app.start();
}

let nginx: Nginx | undefined;

/** Two processes restarted one after the other, as an update does. */
export const rollingRestart: CrewFault = {
  name: 'rolling-restart',
  does: `Two processes behind ${hasNginx() ? 'nginx' : "a proxy of this run's own, for want of nginx"}, restarted one after the other, twice.`,
  prepare: async (lab) => {
    await lab.addApp();
    if (!hasNginx()) return;
    nginx = await startNginx(lab.apps.map(({ url }) => url));
    lab.front.upstreams = [nginx];
  },
  harm: async ({ lab, crew }) => {
    for (const app of [...lab.apps, ...lab.apps]) {
      await app.end('SIGTERM');
      await app.start();
      await crew.acknowledges(8, 10_000);
    }
  },
  check: noBadAnswer,
  restore: async (lab) => {
    await nginx?.stop();
    nginx = undefined;
    lab.front.upstreams = [...lab.apps];
    await removeSecond(lab);
  },
};

/**
 * Returns a sentence for each bad answer: clients must notice nothing, even one that would try again. Only /readyz says
 * no while a process ends.
 */
async function noBadAnswer({ crew: { ledger } }: Scene): Promise<string[]> {
  const failed = [...ledger.statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0);
  const bad = failed - ledger.notReady;
  const all = bad + ledger.unanswered;
  return all === 0 ? [] : [`${bad} bad answers and ${ledger.unanswered} cut connections, where nobody was to notice`];
}

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

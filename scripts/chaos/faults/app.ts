import { setTimeout as sleep } from 'node:timers/promises';
import type { CrewFault, Scene } from '../fault.ts';
import { type App } from '../lab/app.ts';
import { appOf, removeSecond } from '../lab/lab.ts';

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

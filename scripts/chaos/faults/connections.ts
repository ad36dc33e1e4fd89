import { setTimeout as sleep } from 'node:timers/promises';
import type { CrewFault, Scene } from '../fault.ts';
import type { Cut } from '../lab/statement-cutter.ts';
import { repeatEvery } from './postgres.ts';

export const connectionFaults: CrewFault[] = [
  {
    name: 'connections-silent',
    does: 'The open connections to Postgres stop forwarding without a word; new ones pass.',
    harm: async ({ lab }) => {
      lab.database.silenceOpen();
      await sleep(500);
    },
  },
  {
    name: 'database-unreachable',
    does: 'Open and new connections to Postgres fall silent for 8 seconds, as behind a dropped route.',
    harm: async ({ lab }) => {
      lab.database.newConnections = 'swallow';
      lab.database.silenceOpen();
      await sleep(8000);
      lab.database.newConnections = 'forward';
    },
  },
  {
    name: 'connections-refused',
    does: 'Every connection to Postgres reset, and new ones refused for 4 seconds.',
    harm: async ({ lab }) => {
      lab.database.newConnections = 'refuse';
      lab.database.resetOpen();
      await sleep(4000);
      lab.database.newConnections = 'forward';
    },
  },
  {
    name: 'connections-reset',
    does: 'Every connection to Postgres reset each 300 ms for 5 seconds.',
    harm: ({ lab }) => repeatEvery(300, 5000, () => lab.database.resetOpen()),
  },
  {
    name: 'network-slow',
    does: 'Every byte to and from Postgres 40 ms late for 5 seconds.',
    harm: async ({ lab }) => {
      lab.database.delayMs = 40;
      await sleep(5000);
      lab.database.delayMs = 0;
    },
  },
  {
    name: 'cut-before-commit',
    does: 'One COMMIT in three never reaches Postgres: its connection is cut before it.',
    harm: (scene) => cutCommits(scene, 'before'),
  },
  {
    name: 'cut-after-commit',
    does: 'The answer to one COMMIT in three never reaches the app: its connection is cut after it.',
    harm: (scene) => cutCommits(scene, 'after'),
  },
];

async function cutCommits({ lab, crew, random }: Scene, where: Cut): Promise<void> {
  lab.database.decide = (statement) => (/^commit/i.test(statement) && random() < 1 / 3 ? where : undefined);
  await crew.acknowledges(40, 30_000);
  lab.database.decide = undefined;
}

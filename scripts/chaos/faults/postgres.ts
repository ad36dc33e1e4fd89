import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CrewFault, Scene } from '../fault.ts';

export const postgresFaults: CrewFault[] = [
  {
    name: 'postgres-immediate',
    does: 'An immediate shutdown of Postgres (SIGQUIT), three times; started again at once.',
    harm: (scene) => restarts(scene, 'SIGQUIT'),
  },
  {
    name: 'postgres-fast',
    does: 'A fast shutdown of Postgres (SIGINT), three times; started again at once.',
    harm: (scene) => restarts(scene, 'SIGINT'),
  },
  {
    name: 'postmaster-killed',
    does: 'kill -9 of the postmaster, three times; started again at once.',
    harm: (scene) => restarts(scene, 'SIGKILL'),
  },
  {
    name: 'backend-killed',
    does: 'kill -9 of one backend, three times; Postgres recovers by itself.',
    harm: async ({ lab, crew }) => {
      for (let time = 0; time < 3; time += 1) {
        await lab.postgres.killBackend();
        await crew.acknowledges(8, 10_000);
      }
    },
  },
  {
    name: 'backends-terminated',
    does: 'pg_terminate_backend on every connection of the app, each 200 ms for 4 seconds.',
    harm: ({ lab }) => repeatEvery(200, 4000, () => lab.postgres.terminateBackends()),
  },
  {
    name: 'postgres-gone',
    does: 'Postgres stopped for 8 seconds.',
    harm: async ({ lab }) => {
      await lab.postgres.end('SIGINT');
      await sleep(8000);
      await lab.postgres.launch();
    },
  },
  {
    name: 'postgres-paused',
    does: 'SIGSTOP of the postmaster and every backend for 8 seconds, then SIGCONT.',
    harm: async ({ lab }) => {
      lab.postgres.signalAll('SIGSTOP');
      await sleep(8000);
      lab.postgres.signalAll('SIGCONT');
    },
  },
  {
    name: 'read-only',
    does: 'default_transaction_read_only for new and open connections, for 5 seconds.',
    harm: async ({ lab }) => {
      await lab.postgres.set('default_transaction_read_only', 'on');
      await sleep(5000);
      await lab.postgres.set('default_transaction_read_only', undefined);
    },
  },
  {
    name: 'out-of-connections',
    does: "Every connection of Postgres taken by somebody else, and the app's ended, for 5 seconds.",
    harm: async ({ lab }) => {
      const taken = await takeConnections(lab.postgres.url);
      await lab.postgres.terminateBackends().catch(() => {});
      taken.push(...(await takeConnections(lab.postgres.url)));
      await sleep(5000);
      for (const client of taken) await client.end().catch(() => {});
    },
  },
  {
    name: 'row-locked',
    does: 'The rows of three aircraft locked by somebody else for 8 seconds.',
    harm: async ({ lab, crew }) => {
      const ids = crew.pilots.slice(0, 3).map(({ aircraftId }) => aircraftId);
      await lab.db.transaction().execute(async (trx) => {
        await trx.selectFrom('aircraft').select('id').where('id', 'in', ids).forUpdate().execute();
        await sleep(8000);
      });
    },
  },
];

async function restarts({ lab, crew, isBrief }: Scene, signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  for (let time = 0; time < (isBrief ? 1 : 3); time += 1) {
    await lab.postgres.end(signal);
    await lab.postgres.launch();
    await crew.acknowledges(8, 10_000);
  }
}

export async function repeatEvery(pauseMs: number, forMs: number, harm: () => Promise<void> | void): Promise<void> {
  for (const end = Date.now() + forMs; Date.now() < end; await sleep(pauseMs)) await harm();
}

async function takeConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return taken;
    }
    taken.push(client);
  }
}

import type { CrewFault, Scene } from '../fault.ts';
import { removeSecond } from '../lab/lab.ts';
import { hasNginx, type Nginx, startNginx } from '../lab/nginx.ts';

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

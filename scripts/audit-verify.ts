import { type VerifiedChain, verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

await runCommand(async () => {
  const url = await ensureDatabase(loadEnvironment());
  const chains = await withDatabase(url, verifyEntries);
  for (const chain of chains) console.log(describe(chain));
  const broken = chains.filter((chain) => chain.broken);
  if (broken.length > 0) throw new StartupError('The activity is not what was recorded.');
  console.log('The activity is what was recorded.');
});

function describe({ schoolId, entries, head, notYetSealed, broken }: VerifiedChain): string {
  const whose = schoolId === null ? 'Of no school' : `School ${schoolId}`;
  if (broken) return `${whose}: broken at entry ${broken.entryId}: ${broken.problem}.`;
  const end = head ? `, up to position ${head.position}, hash ${head.hash}` : '';
  return `${whose}: ${entries} entries proven${end}; ${notYetSealed} not yet sealed.`;
}

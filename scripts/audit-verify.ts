import { headsFile, readHeads } from '#app/domain/audit/chain-heads.server.ts';
import type { ChainHead } from '#app/domain/audit/seal-entries.server.ts';
import { type VerifiedChain, verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

await runCommand(async () => {
  const settings = loadEnvironment();
  const noted = [...(await readHeads(headsFile(settings.DATA_DIR))), ...process.argv.slice(2).map(parseHead)];
  const { url } = await ensureDatabase(settings);
  const chains = await withDatabase(url, (db) => verifyEntries(db, noted));
  for (const chain of chains) console.log(describe(chain));
  const broken = chains.filter((chain) => chain.broken);
  if (broken.length > 0) throw new StartupError('The activity is not what was recorded.');
  console.log('The activity is what was recorded.');
});

/** Reads the line of a mail: school, position and hash. */
function parseHead(text: string): ChainHead {
  const [, chain, position, hash] = /^(\d+):(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined) throw new StartupError(`${text} is not a line such as 1:532:9f86…, which was mailed.`);
  return { chain: Number(chain), position: Number(position), hash };
}

function describe({ schoolId, entries, head, notYetSealed, broken }: VerifiedChain): string {
  const whose = schoolId === null ? 'Of no school' : `School ${schoolId}`;
  if (broken) return `${whose}: broken at entry ${broken.entryId}: ${broken.problem}.`;
  const end = head ? `, up to position ${head.position}, hash ${head.hash}` : '';
  return `${whose}: ${entries} entries proven${end}; ${notYetSealed} not yet sealed.`;
}

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { ensureCommandSecret } from '../launcher/command-secret.ts';
import { fill, measure } from './backup.ts';
import { withFreshDatabase } from './support/fresh-database.ts';

const SAMPLE_MS = 20;

/** `npm run bench -- export [flights] [photos]`: seconds and memory to take a large school out, and in again elsewhere. */
export async function bench([flights = '50000', photos = '200']: string[]): Promise<void> {
  await withFreshDatabase(async ({ db: source, url }) => {
    process.env.DATABASE_URL = url;
    ensureCommandSecret();
    const { exportSchool } = await import('#app/domain/archive/export-school.server.ts');
    const { importArchive } = await import('#app/domain/archive/import-school.server.ts');
    const { sealEntries } = await import('#app/domain/audit/seal-entries.server.ts');
    await measure(`${flights} flights, ${photos} photos of 60 kB written`, () =>
      fill(source, Number(flights), Number(photos)),
    );
    await measure('their events sealed', () => sealEntries(source));
    await withFreshDatabase(async ({ db: target }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
      const [first, second] = [path.join(folder, 'first.zip'), path.join(folder, 'second.zip')];
      const write = (db: Db, file: string) =>
        pipeline(Readable.from(exportSchool(db, 1), { objectMode: false }), createWriteStream(file));
      try {
        await measure('export', () => withMemory(() => write(source, first)));
        console.log(`  ${((await stat(first)).size / 1e6).toFixed(1)} MB`);
        await measure('import', () => withMemory(() => importArchive(target, first)));
        console.log(`  ${(await findFaults(target)).length} faults`);
        await measure('export again', () => withMemory(() => write(target, second)));
        console.log(`  ${((await stat(second)).size / 1e6).toFixed(1)} MB`);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
}

/** Prints how much more memory the process had at most than before. */
async function withMemory(work: () => Promise<unknown>): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
  await work().finally(() => clearInterval(timer));
  console.log(`  at most ${((most - before) / 1e6).toFixed(0)} MB more than ${(before / 1e6).toFixed(0)} MB`);
}

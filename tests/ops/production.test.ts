import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_IMPORT_FORM_BYTES, MAX_PHOTO_FORM_BYTES } from '#app/limits.ts';
import { clone, type Clone } from '#tests/support/clone.ts';
import { testDatabase } from '#tests/support/database.ts';
import { hourMeter } from '#tests/support/pictures.ts';
import { addressOf, bareEnvironment, type Program, start } from '#tests/support/program.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

const MEGABYTE = 2 ** 20;
/** What a test cannot do: packages, users, services and files of the machine. */
const NEEDS_ROOT = [
  /^NAME=\S+; apt-get /,
  /^apt-get /,
  /^adduser /,
  /^runuser -u postgres /,
  /^git clone /,
  /^ln -s /,
  /^cd \/opt\/flightline && git pull/,
  /^cp deploy\/\*\.service /,
  /^sed \S+ deploy\/nginx\.conf > \/etc\//,
  /^certbot /,
  /^systemctl start flightline$/,
  /docker compose /,
  /^mkdir deploy\/secrets /,
  /^echo .* > deploy\/(secrets\/\w+|\.env)$/,
  /^sh (\/opt\/flightline\/)?deploy\/two-roles\.sh/,
];
/** By tests/ops/flightline-* and tests/domain/backup.test.ts. */
const TESTED_ELSEWHERE = /^(runuser -u flightline -- )?flightline |^openssl enc -d /;

const units = (await readdir('deploy')).map((name) => `deploy/${name}`);
const services = units.filter((name) => name.endsWith('.service'));
const timers = units.filter((name) => name.endsWith('.timer'));
const GUIDES = ['docs/first-evening.md', 'docs/operate.md', 'docs/failures.md'];
const documented = (await Promise.all(GUIDES.map(commandsOf))).flat();
let url: string;
let place: Clone;
let dataDir: string;
let server: Program | undefined;
beforeAll(async () => {
  if (!takesAll) return;
  const { db, url: address } = await testDatabase();
  url = address;
  [place, dataDir] = await Promise.all([clone(), mkdtemp(path.join(tmpdir(), 'data-'))]);
  await Promise.all(['users', 'schools'].map((table) => db.deleteFrom(table as 'users').execute()));
});
afterAll(async () => {
  if (!takesAll) return;
  await server?.end('SIGTERM');
  await place.remove();
  await rm(dataDir, { recursive: true });
});

/** The lines of the shell blocks of a document. */
async function commandsOf(file: string): Promise<string[]> {
  const blocks = (await readFile(file, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, block = '']) => block.trim().split('\n'));
}

/** The documented command that begins so, run as it stands but for the user. */
function runDocumented(beginning: string, input = ''): string {
  const command = documented.find((line) => line.startsWith(beginning));
  if (command === undefined) throw new Error(`no guide has a command '${beginning}'.`);
  const asItself = command
    .replace('runuser -u flightline -- ', '')
    .replace('systemctl stop flightline && ', '')
    .replace('chgrp flightline .env && ', '')
    .replace(/^flightline /, 'scripts/bin.mjs ');
  const env = { ...bareEnvironment(), NAME: 'flights.example.org' };
  return execFileSync('sh', ['-ec', asItself], { cwd: place.folder, encoding: 'utf8', input, env });
}

describe('the guides for operators', () => {
  it('an installation takes at most twelve commands, and each documented command is run here or needs root (B552)', () => {
    expect(documented.findIndex((line) => line.startsWith('certbot '))).toBeLessThan(12);
    const run =
      /^(npm run production|sed -e .* deploy\/flightline\.env|runuser -u flightline -- (npm run --silent school:create|flightline)|systemctl stop flightline && npm run production)/;
    const others = documented.filter((line) => !run.test(line) && !TESTED_ELSEWHERE.test(line));
    expect(others.filter((line) => !NEEDS_ROOT.some((pattern) => pattern.test(line)))).toEqual([]);
  });

  it('what an installation runs needs no package and no program of the development (B552)', async () => {
    const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const built = (await readdir('build', { recursive: true })).filter((name) =>
      /^(server|launcher)\/.*\.js$/.test(name),
    );
    const texts = await Promise.all(built.map((name) => readFile(path.join('build', name), 'utf8')));
    const sources = texts.flatMap((text) => [...text.matchAll(/["'`]#(app\/[^"'`$]+\.[jt]s)["'`]/g)]);
    const apart = await Promise.all(sources.map(([, source = '']) => readFile(source, 'utf8')));
    const wanted = [...texts, ...apart].flatMap((text) => [
      ...text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"'.#][^"']*)["']/g),
    ]);
    const packages = new Set(wanted.map(([, specifier = '']) => packageOf(specifier)));
    for (const name of ['pg', 'tesseract.js', 'read-excel-file']) expect(packages).toContain(name);
    expect(Object.keys(devDependencies).filter((name) => packages.has(name))).toEqual([]);
  });

  nightly(
    'its commands install at most 200 MB that serve a sign-in, read a photo and a workbook (B552, B553)',
    async () => {
      expect(runDocumented('npm run production')).toMatch(/build +built\n(.*\n)*.*packages +\d+ MB/);
      runDocumented('sed -e s/flights');
      const settings = await readFile(path.join(place.folder, '.env'), 'utf8');
      expect(settings).toMatch(/^SESSION_SECRET=[\w+/]{43}=$/m);
      await writeFile(
        path.join(place.folder, '.env'),
        settings
          .replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${url}\nDATABASE_OWNER_URL=${ownerUrl(url)}`)
          .replace(/^DATA_DIR=.*$/m, `DATA_DIR=${dataDir}`)
          .replace(/^APP_URL=.*$/m, 'APP_URL=http://localhost:0\nPORT=0'),
      );
      expect(runDocumented('runuser -u flightline -- npm run --silent school:create', 'good-evening-9\n')).toContain(
        'anna can sign in as administrator of Sound Aviation.',
      );
      expect(runDocumented('runuser -u flightline -- flightline upgrade')).toContain('nothing to do');
      expect(await installedBytes(place.folder)).toBeLessThan(200 * MEGABYTE);

      server = start('npm', ['start'], { cwd: place.folder });
      const address = await addressOf(server);
      await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 120_000 }).toBe(200);
      const signedIn = await fetch(`${address}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'anna', password: 'good-evening-9' }),
      });
      expect(signedIn.status).toBe(200);
      const cookie = signedIn.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      const post = (path: string, body: object) =>
        fetch(address + path, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const cessna = { tailNumber: 'N914FS', make: 'Cessna', model: '172S', year: 2004 };
      const { id } = (await (await post('/api/aircraft', cessna)).json()) as { id: number };
      const imageData = (await hourMeter('12345')).toString('base64');
      const read = await post('/api/analyze-image', { imageData, meterType: 'hobbs', aircraftId: id });
      expect(await read.json()).toMatchObject({ detectedText: '1234.5' });
      const form = new FormData();
      for (const [name, value] of [
        ['kind', 'flights'],
        ['preview', '1'],
        ['sheet', 'G-AAAB'],
      ] as const)
        form.set(name, value);
      const name = '05-a-sheet-for-each-aircraft.xlsx';
      form.set('file', new File([await readFile(`tests/fixtures/imports/cases/${name}`)], name));
      const imported = await fetch(`${address}/api/imports`, { method: 'POST', headers: { cookie }, body: form });
      expect(await imported.json()).toMatchObject({ rows: 3, refused: 3 });
    },
  );
});

describe('deploy', () => {
  it.runIf(takesAll && has('systemd-analyze'))('systemd finds nothing wrong in the units (B552)', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...services, ...timers]);
    // The command that the units call is on an installed machine alone.
    const words = stderr.toString().replaceAll(/^.*bin\.mjs is not executable: No such file or directory\n/gm, '');
    expect([words, words === '' ? 0 : status]).toEqual(['', 0]);
  });

  it.runIf(takesAll && has('systemd-analyze')).each(services)(
    'systemd calls %s exposed below 4 of 10 (B1354)',
    (unit) => {
      const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=39', unit]);
      expect(status, stdout.toString()).toBe(0);
    },
  );

  it('what a timer starts waits for Postgres and says that it failed, and the docs switch its timer on (B1354)', async () => {
    expect(timers).toHaveLength(2);
    for (const timer of timers) {
      const unit = await readFile(timer.replace('.timer', '.service'), 'utf8');
      expect(unit).toMatch(/^After=postgresql\.service$/m);
      const [, told] = /^OnFailure=(\S+)@%n\.service$/m.exec(unit) ?? [];
      expect(await readFile(`deploy/${told}@.service`, 'utf8')).toMatch(/^SyslogLevel=err$/m);
      expect(documented.find((line) => line.includes('systemctl enable'))).toContain(path.basename(timer));
    }
  });

  it('nginx lets pass whatever the product takes (B554)', async () => {
    const site = await readFile('deploy/nginx.conf', 'utf8');
    const passing = Number(/client_max_body_size (\d+)m;/.exec(site)?.[1]) * MEGABYTE;
    expect(passing).toBeGreaterThan(Math.max(MAX_PHOTO_FORM_BYTES, MAX_IMPORT_FORM_BYTES));
  });

  it.runIf(takesAll && has('nginx'))('nginx takes its configuration (B552)', async () => {
    const site = await readFile('deploy/nginx.conf', 'utf8');
    const whole = path.join(dataDir, 'nginx.conf');
    await writeFile(
      whole,
      `pid ${dataDir}/pid;\nevents {}\nhttp {\n${site.replaceAll(/:?80;/g, (port) => port.replace('80', '10080'))}\n}\n`,
    );
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', whole, '-e', 'stderr', '-p', dataDir]);
    expect([status, stderr.toString()]).toEqual([0, expect.stringContaining('test is successful')]);
  });

  it('every file that the guides, the container and the units name is there (B552)', async () => {
    const texts = await Promise.all(
      [...GUIDES, 'deploy/compose.yaml', 'deploy/Dockerfile'].map((file) => readFile(file, 'utf8')),
    );
    for (const [name] of texts.join('\n').matchAll(/\bdeploy\/[\w-]+\.\w+|\bdeploy\/Dockerfile/g)) {
      expect((await stat(name)).isFile(), name).toBe(true);
    }
  });
});

/** '@scope/name/part' → '@scope/name' */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

async function installedBytes(folder: string): Promise<number> {
  // On the disk, where small files take a block each.
  return 1024 * Number(execFileSync('du', ['-sk', '--exclude=.git', folder], { encoding: 'utf8' }).split('\t')[0]);
}

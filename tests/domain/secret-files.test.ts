import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readLaunchSettings, readSettings } from '#app/settings.server.ts';
import { ensureSessionSecret } from '../../scripts/launcher/secret.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'secrets-'));
afterAll(() => rm(folder, { recursive: true }));

const VALUES = {
  DATABASE_URL: 'postgres://user:password@db.example/flightline',
  SESSION_SECRET: 's'.repeat(32),
  SESSION_SECRET_PREVIOUS: 'p'.repeat(32),
  SMTP_URL: 'smtp://user:password@mail.example:587',
  BACKUP_PASSPHRASE: 'six gulls over the wide marsh',
};

async function fileWith(content: string): Promise<string> {
  const file = path.join(folder, `secret-${Math.random()}`);
  await writeFile(file, content);
  return file;
}

it('each secret can come from a file that its setting with _FILE names, without the line end of the file (B448)', async () => {
  const files = Object.entries(VALUES).map(async ([name, value]) => [`${name}_FILE`, await fileWith(`${value}\n`)]);
  const source = Object.fromEntries(await Promise.all(files));
  expect(readSettings(source)).toMatchObject(VALUES);
  expect(readLaunchSettings(source)).toMatchObject(VALUES);
});

it('a setting and its file may not both be set, and an empty one gives way to its file (B448)', async () => {
  for (const name of Object.keys(VALUES)) {
    const source = { ...VALUES, [`${name}_FILE`]: await fileWith('x'.repeat(32)) };
    expect(() => readSettings(source)).toThrow(`${name} and ${name}_FILE are both set: keep one.`);
  }
  const source = { ...VALUES, SMTP_URL: '', SMTP_URL_FILE: await fileWith(VALUES.SMTP_URL) };
  expect(readSettings(source)).toMatchObject(VALUES);
});

it('a file that is missing, empty or too short is an error that names the setting, and not the secret (B448)', async () => {
  const missing = path.join(folder, 'missing');
  const empty = await fileWith('\n');
  const { DATABASE_URL: _, ...others } = VALUES;
  const read = (file: string) => () => readLaunchSettings({ ...others, DATABASE_URL_FILE: file });
  expect(read(missing)).toThrow(`DATABASE_URL_FILE: the file ${missing} cannot be read.`);
  expect(read(empty)).toThrow(`DATABASE_URL_FILE: the file ${empty} is empty.`);
  const source = { ...VALUES, SESSION_SECRET: '', SESSION_SECRET_FILE: await fileWith('short') };
  expect(() => readSettings(source)).toThrow('SESSION_SECRET must have at least 32 characters.');
});

it('the secret that a first start generates is that of the next ones, for this user alone to read (B448)', async () => {
  const dataDir = path.join(folder, 'data');
  const made = [];
  for (let start = 0; start < 2; start += 1) {
    vi.stubEnv('SESSION_SECRET', '');
    vi.stubEnv('SESSION_SECRET_FILE', '');
    await ensureSessionSecret(dataDir);
    made.push(process.env.SESSION_SECRET);
  }
  vi.unstubAllEnvs();
  expect(made).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)));
  expect(made[1]).toBe(made[0]);
  expect((await stat(path.join(dataDir, 'session-secret'))).mode & 0o777).toBe(0o600);
});

it('no secret is generated where a file gives it (B448)', async () => {
  vi.stubEnv('SESSION_SECRET', '');
  vi.stubEnv('SESSION_SECRET_FILE', await fileWith(VALUES.SESSION_SECRET));
  await ensureSessionSecret(folder);
  expect(process.env.SESSION_SECRET).toBe('');
  vi.stubEnv('SESSION_SECRET_FILE', '');
  await ensureSessionSecret(folder);
  expect(process.env.SESSION_SECRET?.length).toBeGreaterThan(32);
  vi.unstubAllEnvs();
});

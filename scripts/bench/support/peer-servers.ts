import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../free-port.ts';
import { BENCH_FOLDER, type BenchDatabase } from './bench-databases.ts';
import { SESSION_SECRET, type ServedProduct, startServer } from './served-product.ts';
import type { Statement } from './statement-recorder.ts';

const SOURCES = path.join(import.meta.dirname, '../peers');
/** The peers are installed apart, because none of their packages is the product's. */
const FOLDER = path.resolve(BENCH_FOLDER, 'peers');
const BUILT = path.join(FOLDER, 'built.sha256');
const RECORDED = path.join(FOLDER, 'recorded-statements.json');
const NEXT = '../node_modules/next/dist/bin/next';

export const PEERS = {
  'node:http': { cwd: '.', args: ['node-http/server.js'] },
  'Express + pg': { cwd: '.', args: ['express/server.js'] },
  'Fastify + EJS': { cwd: '.', args: ['fastify-ejs/server.js'] },
  'Next.js': { cwd: 'next', args: [NEXT, 'start', '--hostname', '127.0.0.1'] },
};

export type Peer = keyof typeof PEERS;

/** Installs and builds the peers unless they are as their sources say. Throws in words without a network. */
export async function buildPeers(): Promise<void> {
  const hash = await hashSources();
  if ((await readFile(BUILT, 'utf8').catch(() => '')) === hash) return;
  console.log('Installing and building the peers.');
  await rm(path.join(FOLDER, 'next'), { recursive: true, force: true });
  await cp(SOURCES, FOLDER, { recursive: true });
  await cp('.npmrc', path.join(FOLDER, '.npmrc'));
  run('npm', ['install', '--no-audit', '--no-fund'], FOLDER, 'The peers cannot be installed: is there a network?');
  run(process.execPath, [NEXT, 'build'], path.join(FOLDER, 'next'), 'The peer of Next.js cannot be built.');
  await writeFile(BUILT, hash);
}

/**
 * Gives the peers what they take from the product: its statements, by address, and the session they were recorded in.
 */
export async function giveStatements(
  sessionId: string,
  statements: Record<string, Statement | Statement[]>,
): Promise<void> {
  await writeFile(RECORDED, JSON.stringify({ sessionId, statements }));
}

export async function startPeer(name: Peer, { url }: BenchDatabase): Promise<ServedProduct> {
  const { cwd, args } = PEERS[name];
  const settings = {
    DATABASE_URL: url,
    SESSION_SECRET,
    BENCH_NAME: name,
    BENCH_STATEMENTS: RECORDED,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  return startServer(args, await freePort(), settings, path.join(FOLDER, cwd));
}

export async function versionsOfPeers(): Promise<string> {
  const text = await readFile(path.join(FOLDER, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return ['next', 'fastify', 'ejs', 'express', 'pg'].map((name) => `${name} ${dependencies[name]}`).join(', ');
}

async function hashSources(): Promise<string> {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}

function run(command: string, args: string[], cwd: string, failure: string): void {
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}\n${failure}`);
}

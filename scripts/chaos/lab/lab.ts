import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Db } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { type Mailbox, startMailbox } from '#tests/support/mailbox.ts';
import { App } from './app.ts';
import { Front } from './front.ts';
import { Postgres } from './postgres.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** The product with everything around it that can be harmed. */
export interface Lab {
  postgres: Postgres;
  /** Between the app and Postgres. */
  database: TcpProxy;
  /** Between the app and the mail server. */
  mail: TcpProxy;
  mailbox: Mailbox;
  apps: App[];
  /** What the clients connect to. */
  front: Front;
  /** Past every proxy. */
  db: Db;
  folder: string;
  /** Starts one more process of the app. */
  addApp(): Promise<App>;
  /** Ends the process that `addApp` started. */
  removeApp(app: App): Promise<void>;
  stop(): Promise<void>;
}

/** `folder` is where Postgres keeps its data; without one a folder of its own, removed at the end. */
export async function startLab(options: { folder?: string } = {}): Promise<Lab> {
  const folder = options.folder ?? (await openFolder());
  const postgres = await Postgres.start(folder);
  const db = connect(postgres.url, { max: 4, poolWaitMs: 60_000, statementTimeoutMs: 60_000 });
  await migrateToLatest(db);
  const [database, mailbox, front] = await Promise.all([
    TcpProxy.start(postgres.socket),
    startMailbox(),
    Front.start(),
  ]);
  const mail = await TcpProxy.start(Number(new URL(mailbox.url).port));
  const environment = {
    DATABASE_URL: postgres.urlAt(database.port),
    SMTP_URL: mailbox.url.replace(/:\d+/, `:${mail.port}`),
    SESSION_SECRET: process.env.SESSION_SECRET ?? '',
    APP_URL: front.url,
    DATA_DIR: path.join(folder, 'app'),
  };

  const lab: Lab = {
    ...{ postgres, database, mail, mailbox, front, db, folder, apps: [] },
    addApp: async () => {
      const app = new App(environment, await freePort());
      await app.start();
      lab.apps.push(app);
      front.upstreams.push(app.url);
      return app;
    },
    removeApp: async (app) => {
      front.upstreams = front.upstreams.filter((url) => url !== app.url);
      lab.apps = lab.apps.filter((other) => other !== app);
      await app.end('SIGTERM');
    },
    stop: async () => {
      await Promise.all(lab.apps.map((app) => app.end('SIGKILL')));
      await db.destroy();
      await Promise.all([front.stop(), database.stop(), mail.stop(), mailbox.stop(), postgres.stop()]);
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
  await lab.addApp().catch(async (error: unknown) => {
    await lab.stop();
    throw error;
  });
  return lab;
}

/** The first process of the app. */
export function appOf({ apps: [app] }: Lab): App {
  if (!app) throw new Error('No process of the app was started.');
  return app;
}

/** Root's Postgres runs as another user, who must be let through. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-chaos-'));
  await chmod(folder, 0o711);
  return folder;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.');
  return address.port;
}

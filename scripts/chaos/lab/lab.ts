import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Db } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { type Mailbox, startMailbox } from '#tests/support/mailbox.ts';
import { startScript } from '#tests/support/program.ts';
import { APPLICATION_ROLE, OWNER_ROLE } from '#db/embedded/application-role.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { App, ROOT } from './app.ts';
import { Front } from './front.ts';
import { Postgres } from './postgres.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** The product with everything around it that can be harmed. */
export interface Lab {
  postgres: Postgres;
  database: TcpProxy;
  mail: TcpProxy;
  mailbox: Mailbox;
  apps: App[];
  front: Front;
  /** Connection to the database without any proxy. */
  db: Db;
  folder: string;
  addApp(): Promise<App>;
  removeApp(app: App): Promise<void>;
  stop(): Promise<void>;
}

interface LabOptions {
  /** Folder of Postgres' data; left out, a folder of its own that is removed at the end. */
  folder?: string;
  isEmbedded?: boolean;
  /** Port on which a process of the app listens, for a proxy that must know; left out, the system chooses. */
  portOfApp?: () => Promise<number>;
}

export async function startLab({ folder: given, isEmbedded = false, portOfApp }: LabOptions = {}): Promise<Lab> {
  const folder = given ?? (await openFolder());
  const postgres = isEmbedded ? await migrateEmbedded(folder) : await Postgres.start(folder);
  // Else what others do, such as waiting within a transaction, is hidden from `db`.
  await postgres.asSuperuser(`grant pg_read_all_stats to ${OWNER_ROLE}`);
  const db = connect(ownerUrl(postgres.url), { max: 4, poolWaitMs: 60_000, statementTimeoutMs: 60_000 });
  if (!isEmbedded) await migrateToLatest(db, { product: APPLICATION_ROLE });
  const [database, mailbox, front] = await Promise.all([
    TcpProxy.start(postgres.socket),
    startMailbox(),
    Front.start(),
  ]);
  const mail = await TcpProxy.start(Number(new URL(mailbox.url).port));
  const environment = {
    DATABASE_URL: isEmbedded ? '' : postgres.urlAt(database.port),
    SMTP_URL: mailbox.url.replace(/:\d+/, `:${mail.port}`),
    SESSION_SECRET: process.env.SESSION_SECRET ?? '',
    APP_URL: front.url,
    TRUST_PROXY: '1',
    WEBHOOK_PRIVATE_TARGETS: '1',
    DATA_DIR: isEmbedded ? folder : path.join(folder, 'app'),
  };

  const lab: Lab = {
    ...{ postgres, database, mail, mailbox, front, db, folder, apps: [] },
    addApp: async () => {
      const app = new App(environment, await portOfApp?.());
      await app.start();
      lab.apps.push(app);
      front.upstreams.push(app);
      return app;
    },
    removeApp: async (app) => {
      front.upstreams = front.upstreams.filter((other) => other !== app);
      lab.apps = lab.apps.filter((other) => other !== app);
      await app.end('SIGTERM');
    },
    stop: async () => {
      await Promise.all(lab.apps.map((app) => app.end('SIGKILL')));
      await db.destroy();
      await Promise.all([front.stop(), database.stop(), mail.stop(), mailbox.stop(), postgres.stop()]);
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
  await lab.addApp().catch(async (error: unknown) => {
    await lab.stop();
    throw error;
  });
  return lab;
}

export function appOf({ apps: [app] }: Lab): App {
  if (!app) throw new Error('No process of the app was started.');
  return app;
}

export async function removeSecond(lab: Lab): Promise<void> {
  const [, second] = lab.apps;
  if (second) await lab.removeApp(second);
}

async function migrateEmbedded(folder: string): Promise<Postgres> {
  const migration = startScript(path.join(ROOT, 'scripts/db-migrate.ts'), [], {
    cwd: ROOT,
    env: { DATA_DIR: folder, SESSION_SECRET: process.env.SESSION_SECRET ?? '' },
  });
  if ((await migration.ended()) !== 0) throw new Error(migration.output());
  return Postgres.embedded(folder);
}

/** If root runs the lab, its Postgres runs as another user, who must be let through. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-chaos-'));
  await chmod(folder, 0o711);
  return folder;
}

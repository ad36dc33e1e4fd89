import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { REQUEST_DATABASE_MS, SHUTDOWN_GRACE_MS } from '#db/deadlines.ts';
import { splitHosts } from '#db/hosts.ts';
import { StartupError } from '#db/startup-error.ts';

/** The secret lets a first start succeed; it is refused if other machines can reach the server. */
const EXAMPLE_SECRET = 'for-this-machine-only-replace-before-others-reach-it';
/** Settings that NAME_FILE can give, as container platforms mount secrets. */
const FROM_FILES = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'SMTP_URL',
  'BACKUP_PASSPHRASE',
];
const HERE = ['localhost', '127.0.0.1', '::1', '[::1]'];

const MODES = ['development', 'test', 'production'] as const;
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const PORT_NUMBER = 'must be a port number, from 0 to 65535';

const settings = z.object({
  NODE_ENV: z.enum(MODES, `must be one of ${MODES.join(', ')}`).default('production'),
  /** Address with one host or several; each is tried, and the one that takes writes is used. */
  DATABASE_URL: databaseAddress(),
  DATABASE_WAIT_MS: milliseconds(500, 60_000).default(REQUEST_DATABASE_MS),
  /** 'auto' prepares unless connections are shared, as PgBouncer does; 'yes' does so then, too. */
  PREPARED_STATEMENTS: z.enum(['auto', 'yes', 'no'], 'must be auto, yes or no').default('auto'),
  /** Time between saying on /readyz that the server will end and closing its port. */
  SHUTDOWN_GRACE_MS: milliseconds(0, 60_000).default(SHUTDOWN_GRACE_MS),
  /** Folder for photos, the embedded Postgres and the generated secret. */
  DATA_DIR: z.string().default('.data'),
  /** If it is 0, the system chooses, and the launcher sets the port it got. */
  PORT: portNumber().default(3000),
  /** Port of the metrics, for this machine only; left out, there are none. */
  METRICS_PORT: portNumber().optional(),
  /** Only this machine reaches the server until HOST says otherwise. */
  HOST: z.string().default('127.0.0.1'),
  APP_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  SESSION_SECRET: z.string('must be set, to at least 32 characters').min(32, 'must have at least 32 characters'),
  /** Former secret, which still verifies what it has signed. */
  SESSION_SECRET_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  BACKUP_PASSPHRASE: z.string().min(20, 'must have at least 20 characters').optional(),
  /** Folder that each backup is copied to, or program that copies it. */
  BACKUP_COPY_TO: z.string().startsWith('/', 'must be the whole path of a folder or program').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  /** Address for reports of vulnerabilities, in /.well-known/security.txt. */
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https:// address')
    .optional(),
  /** '1' if webhooks may lead to private networks and this machine. */
  WEBHOOK_PRIVATE_TARGETS: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  PRODUCT_NAME: z.string().default('Flightline'),
  /** 'yes' to read a photo after the start, which takes two seconds of a processor and memory before it is needed. */
  PHOTO_WARM_UP: z.enum(['yes', 'no'], 'must be yes or no').default('yes'),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
  /** Number of proxies in front, each of which appends to X-Forwarded-For. */
  TRUST_PROXY: z.coerce.number('must be a number from 0 to 9').int().min(0).max(9).default(0),
});

function databaseAddress() {
  return z.string('must be a postgres:// address').refine(isDatabaseUrl, 'must be a postgres:// address');
}

function portNumber() {
  return z.coerce.number(PORT_NUMBER).int(PORT_NUMBER).min(0, PORT_NUMBER).max(65535, PORT_NUMBER);
}

function milliseconds(min: number, max: number) {
  const text = `must be a number of milliseconds, ${min} to ${max}`;
  return z.coerce.number(text).int(text).min(min, text).max(max, text);
}

function isDatabaseUrl(text: string): boolean {
  return splitHosts(text).every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url));
}

const launchSettings = settings.partial({ DATABASE_URL: true, SESSION_SECRET: true }).extend({
  /** Address for the role that owns the tables, of which the server itself is not told. */
  DATABASE_OWNER_URL: databaseAddress().optional(),
});

export const SETTING_NAMES = [...Object.keys(launchSettings.shape), ...FROM_FILES.map((name) => `${name}_FILE`)];

type Source = Record<string, string | undefined>;

/** Treats an empty value as missing. Throws a StartupError that names the setting. */
export function readSettings(source: Source) {
  const read = parse(settings, source);
  if (read.PORT !== 0 && read.METRICS_PORT === read.PORT)
    throw new StartupError('METRICS_PORT must be another port than PORT.');
  const appUrl = new URL(read.APP_URL ?? `http://localhost:${read.PORT}`);
  const reachable = [read.HOST, appUrl.hostname].some((host) => !HERE.includes(host));
  for (const name of ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS'] as const) {
    if (read[name] === EXAMPLE_SECRET && reachable) {
      throw new StartupError(`${name} is the one of .env.example: give this server a secret of its own.`);
    }
  }
  // A server in development is reached by many names.
  const REFUSES_FOREIGN_HOSTS = read.NODE_ENV === 'production' && read.APP_URL !== undefined;
  return { ...read, APP_URL: appUrl.origin, REFUSES_FOREIGN_HOSTS };
}

export function readLaunchSettings(source: Source) {
  return parse(launchSettings, source);
}

function parse<Schema extends z.ZodType>(schema: Schema, source: Source): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse({ ...present, ...readSecretFiles(present) });
  if (result.success) return result.data;
  const complaints = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  throw new StartupError(`${complaints.join('\n')}\n.env.example says what each setting means.`);
}

function readSecretFiles(source: Source): Source {
  const given = FROM_FILES.filter((name) => source[`${name}_FILE`] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      if (source[name] !== undefined) throw new StartupError(`${name} and ${name}_FILE are both set: keep one.`);
      return [name, readSecretFile(`${name}_FILE`, source[`${name}_FILE`] ?? '')];
    }),
  );
}

function readSecretFile(name: string, file: string): string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new StartupError(`${name}: the file ${file} cannot be read.`, { cause });
  }
  if (content === '') throw new StartupError(`${name}: the file ${file} is empty.`);
  return content;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { readLaunchSettings, SETTING_NAMES } from '#app/settings.server.ts';
import { StartupError } from '#db/startup-error.ts';

export type LaunchSettings = ReturnType<typeof readLaunchSettings>;

/** Reads the environment, then `.env`, and writes the defaults back for remix-serve. Throws a StartupError. */
export function loadEnvironment(mode: 'production' | 'development' = 'production'): LaunchSettings {
  loadFile('.env');
  process.env.NODE_ENV ||= mode;
  const settings = readLaunchSettings(process.env);
  process.env.PORT = String(settings.PORT);
  process.env.HOST = settings.HOST;
  process.env.DATA_DIR = settings.DATA_DIR;
  // Nothing else in the process is to sign in as the owner.
  delete process.env.DATABASE_OWNER_URL;
  return settings;
}

/** Reads as `process.loadEnvFile` does, which takes the mark that Windows begins a file with for a part of the first name. */
function loadFile(file: string): void {
  if (!existsSync(file)) return;
  const text = readText(file);
  if (/[\0\ufffd]/.test(text)) throw new StartupError(`${path.resolve(file)} is no UTF-8 text: save it as one.`);
  for (const [name, value] of Object.entries(parseEnv(text.replace(/^\ufeff/, '')))) {
    const meant = SETTING_NAMES.includes(name) ? undefined : SETTING_NAMES.find((known) => isSlipOf(known, name));
    if (meant !== undefined)
      throw new StartupError(`${path.resolve(file)} says ${name}, which is no setting: write ${meant}.`);
    process.env[name] ??= value;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StartupError(
      `${path.resolve(file)} cannot be read by this user. Run it as the user who runs Flightline: runuser -u flightline -- npm run …`,
      { cause },
    );
  }
}

/** True where a letter more, less, wrong or at another place tells two long names apart. */
function isSlipOf(known: string, name: string): boolean {
  const slips = (word: string) => [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
  const ofKnown = new Set(slips(known));
  return known.length >= 8 && slips(name).some((slip) => ofKnown.has(slip));
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readLaunchSettings } from '#app/settings.server.ts';
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

function loadFile(file: string): void {
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (cause) {
    throw new StartupError(
      `${path.resolve(file)} cannot be read by this user. Run it as the user who runs Flightline: runuser -u flightline -- npm run …`,
      { cause },
    );
  }
}

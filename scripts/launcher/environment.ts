import { existsSync } from 'node:fs';
import { readLaunchSettings } from '#app/settings.server.ts';

export type LaunchSettings = ReturnType<typeof readLaunchSettings>;

/** Reads the environment, then `.env`, and writes the defaults back for remix-serve. Throws a StartupError. */
export function loadEnvironment(mode: 'production' | 'development' = 'production'): LaunchSettings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  process.env.NODE_ENV ||= mode;
  const settings = readLaunchSettings(process.env);
  process.env.PORT = String(settings.PORT);
  process.env.HOST = settings.HOST;
  process.env.DATA_DIR = settings.DATA_DIR;
  return settings;
}

import { vi } from 'vitest';
import { readLaunchSettings } from '#app/settings.server.ts';
import { withOwner } from '#tests/support/database-url.ts';
import type { Command } from '../../scripts/flightline/command.ts';

/** Runs a command of `npm run flightline` in this process; returns what it prints, and its exit code. */
export async function runHere(command: Command, args: string[], settings: Record<string, string>) {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const code = await command.parse('it', args)(readLaunchSettings(withOwner(settings)));
    return { code, output: print.mock.calls.map(([line]) => String(line)).join('\n') };
  } finally {
    print.mockRestore();
  }
}

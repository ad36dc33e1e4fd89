import { syncBuiltinESMExports } from 'node:module';
import { setupServer } from 'msw/node';
import { afterEach, expect } from 'vitest';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Stands in for other machines: a test says by handlers what they answer. */
export const outside = setupServer();

const unhandled: string[] = [];
let listening = false;

/**
 * Fails every test that calls another machine for which it has no handler. Tests that drive a server or a browser do
 * without: their requests go over real connections, and what cuts those must not meet msw's.
 */
export function failOnOutsideCalls(): void {
  // Test files of one worker share this module.
  if (!listening) listen();
  listening = true;
  // The code under test may well survive a failed call.
  afterEach(() => {
    outside.resetHandlers();
    expect(unhandled.splice(0), 'calls to other machines').toEqual([]);
  });
}

function listen(): void {
  outside.listen({
    onUnhandledRequest: ({ method, url }, print) => {
      if (LOOPBACK.includes(new URL(url).hostname)) return;
      unhandled.push(`${method} ${url}`);
      print.error();
    },
  });
  // `import { get } from 'node:http'` would otherwise keep the real one.
  syncBuiltinESMExports();
}

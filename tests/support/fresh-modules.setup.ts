import { afterAll, expect, vi } from 'vitest';

/** Jobs that one file starts would run on into the next. */
vi.mock(import('#app/background/start.server.ts'), () => ({ startBackgroundJobs: () => {} }));

// Each file imports the app anew, with a database of its own; packages stay loaded, which is most of what a start costs.
vi.resetModules();
delete process.env.TEST_DATABASE_URL;
// A file that shut down is over; what outlives modules is not read anew.
globalThis.isShuttingDown = undefined;
// One that could not be loaded may have left its clock.
vi.useRealTimers();

const { failOnOutsideCalls, outside } = await import('./outside-calls.ts');
failOnOutsideCalls();

afterAll(async () => {
  outside.close();
  // Code of the browser records nothing; the recorder brings half of the server along.
  if (expect.getState().testPath?.includes('/tests/unit/')) return;
  const { recorder } = await import('#app/server/event-recorder.server.ts');
  await recorder.flush();
});

import { afterAll, vi } from 'vitest';

/** Jobs that one file starts would run on into the next. */
vi.mock(import('#app/background/start.server.ts'), () => ({ startBackgroundJobs: () => {} }));

// Each file imports the app anew, with a database of its own; packages stay loaded, which is most of what a start costs.
vi.resetModules();
delete process.env.TEST_DATABASE_URL;
// A file that shut down is over; what outlives modules is not read anew.
globalThis.isShuttingDown = undefined;
// One that could not be loaded may have left its clock.
vi.useRealTimers();

afterAll(async () => {
  const [{ recorder }, { outside }] = await Promise.all([
    import('#app/server/event-recorder.server.ts'),
    import('./outside-calls.ts'),
  ]);
  await recorder.flush();
  outside.close();
});

import { afterAll, beforeEach, vi } from 'vitest';
import { log } from '#app/server/log.server.ts';
import { failOnOutsideCalls } from './outside-calls.ts';

failOnOutsideCalls();

/** Only isolated files run the neural nets. */
vi.mock(import('#app/domain/meters/engine.server.ts'), () => import('./fake-engine.ts'));

/** Jobs that one file starts would run on into the next. */
vi.mock(import('#app/background/start.server.ts'), () => ({ startBackgroundJobs: () => {} }));

/** A test that fails says what was logged meanwhile: an answer of 500 does not tell its cause. */
let logged: unknown[] = [];
log.error = (...entry: unknown[]) => void logged.push(...entry);
beforeEach(({ onTestFailed }) => {
  logged = [];
  onTestFailed(() => {
    if (logged.length > 0) console.error('logged meanwhile:', ...logged);
  });
});

/** Events are recorded after their request; one that waits would be found in the next file's database. */
afterAll(async () => {
  const { recorder } = await import('#app/server/event-recorder.server.ts');
  await recorder.flush();
  // Users of the next file have the same ids.
  recorder.clearBudgets();
});

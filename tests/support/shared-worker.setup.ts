import { vi } from 'vitest';

/** Only isolated files run the neural nets. */
vi.mock(import('#app/domain/meters/engine.server.ts'), () => import('./fake-engine.ts'));

/** Jobs that one file starts would run on into the next. */
vi.mock(import('#app/background/start.server.ts'), () => ({ startBackgroundJobs: () => {} }));

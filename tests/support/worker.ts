import { fakeCamera } from './fake-camera.ts';
import { launchBrowser } from './browser.ts';
import { startMailbox } from './mailbox.ts';
import { startServer } from './server.ts';

/** Answers the browser's question whether a page may use the camera. */
const GRANT = '--use-fake-ui-for-media-stream';

// Started by the first test of a vitest worker that asks, shared by all its files (`isolate: false`), ended with it.

/** A real SMTP server: look for mail by an address of the test's own. */
export const sharedMailbox = once(startMailbox);

/** The built app on a database of its own: a test that makes its own school meets nobody else's. */
export const sharedServer = once(async () => {
  const { url } = await sharedMailbox();
  // Under npm the server ends itself when its parent has gone, and the parent is this worker.
  return startServer({ LOG_LEVEL: 'info', SMTP_URL: url, npm_lifecycle_event: 'test' });
});

/** Chromium with one camera, which looks at a Hobbs meter of 1234.5; every test opens a context of its own. */
export const sharedBrowser = once(async () => launchBrowser([...(await fakeCamera('1234.5')), GRANT]));

/** The same where the user denies the camera. */
export const browserDenyingCamera = once(async () => launchBrowser([...(await fakeCamera('1234.5')), `${GRANT}=deny`]));

function once<Result>(start: () => Promise<Result>): () => Promise<Result> {
  let started: Promise<Result> | undefined;
  return () => (started ??= start());
}

import { onTestFinished } from 'vitest';
import { env } from '#app/env.server.ts';

/** Runs the rest of the test as with a mail server set; nothing is sent, because no worker runs. */
export function withMailServer(): void {
  env.SMTP_URL = 'smtp://mail.school.example';
  onTestFinished(() => {
    env.SMTP_URL = undefined;
  });
}

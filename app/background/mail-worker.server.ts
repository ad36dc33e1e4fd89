import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/connect.server.ts';
import { deliverNextMail, type SendMail } from '#app/domain/mail/deliver.server.ts';
import { mailRequestedLink } from '#app/domain/people/mail-requested-link.server.ts';
import { createMailTransport } from '#app/domain/mail/transport.server.ts';
import { env } from '#app/env.server.ts';
import { OUTBOX_ERROR_DELAY_MS, OUTBOX_POLL_INTERVAL_MS } from '#app/limits.ts';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var mailWorkerStarted: true | undefined;
}

/** Sends queued mail until shutdown, which waits for the mail being sent (docs/decisions/030). */
export function startMailWorker(db: Db): void {
  if (globalThis.mailWorkerStarted) return;
  globalThis.mailWorkerStarted = true;
  const stopping = new AbortController();
  const working = runWorker(db, createMailTransport(env), stopping.signal);
  onShutdown('work', () => {
    stopping.abort();
    return working;
  });
}

async function runWorker(db: Db, send: SendMail, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const pause = await deliverAllDue(db, send, stopping);
    await sleep(pause, undefined, { signal: stopping }).catch(() => {});
  }
}

async function deliverAllDue(db: Db, send: SendMail, stopping: AbortSignal): Promise<number> {
  try {
    while (!stopping.aborted && (await mailRequestedLink(db)));
    while (!stopping.aborted) {
      const delivery = await deliverNextMail(db, send);
      if (!delivery) break;
      if (delivery.isRefused) log.warn(delivery, 'the mail server refused a mail; it will not be tried again');
      else if (delivery.error !== undefined) log.warn(delivery, 'a mail did not leave; it will be tried again');
      else if (delivery.place !== undefined) log.info(delivery, 'a mail was written to a file: SMTP_URL is not set');
    }
    return OUTBOX_POLL_INTERVAL_MS;
  } catch (error) {
    log.warn({ err: error }, 'the outbox could not be read');
    return OUTBOX_ERROR_DELAY_MS;
  }
}

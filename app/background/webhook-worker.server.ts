import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/connect.server.ts';
import { deliveredEvents } from '#app/domain/webhooks/delivery/delivered-events.ts';
import { deliverEvent } from '#app/domain/webhooks/delivery/deliver-event.server.ts';
import { type ClaimedDelivery, claimDelivery } from '#app/domain/webhooks/delivery/due-deliveries.server.ts';
import type { SendOptions } from '#app/domain/webhooks/delivery/send-request.server.ts';
import { env } from '#app/env.server.ts';
import {
  MAX_REQUESTS_OF_WEBHOOK,
  MAX_WEBHOOK_REQUESTS,
  WEBHOOK_ERROR_DELAY_MS,
  WEBHOOK_POLL_INTERVAL_MS,
} from '#app/limits.ts';
import { log } from '#app/server/log.server.ts';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var webhookWorkerStarted: true | undefined;
}

/** Sends events to webhooks until shutdown, which gives back those that have no answer yet (docs/decisions/154). */
export function startWebhookWorker(db: Db): void {
  if (globalThis.webhookWorkerStarted) return;
  globalThis.webhookWorkerStarted = true;
  const stopping = new AbortController();
  const worker = new WebhookWorker(db, { allowsPrivateTargets: env.WEBHOOK_PRIVATE_TARGETS === '1' }, stopping.signal);
  const working = worker.run();
  onShutdown('work', () => {
    stopping.abort();
    return working;
  });
}

/** Claims what is due while it has room, and sends each request on its own. */
class WebhookWorker {
  readonly #db: Db;
  readonly #options: SendOptions;
  readonly #stopping: AbortSignal;
  readonly #requests = new Map<Promise<void>, number>();

  constructor(db: Db, options: SendOptions, stopping: AbortSignal) {
    this.#db = db;
    this.#options = options;
    this.#stopping = stopping;
  }

  async run(): Promise<void> {
    while (!this.#stopping.aborted) {
      const pause = await this.#startAllDue();
      await sleep(pause, undefined, { signal: this.#stopping }).catch(() => {});
    }
    await Promise.all(this.#requests.keys());
  }

  async #startAllDue(): Promise<number> {
    try {
      while (!this.#stopping.aborted) {
        if (this.#requests.size >= MAX_WEBHOOK_REQUESTS) await Promise.race(this.#requests.keys());
        const delivery = await claimDelivery(this.#db, this.#busyWebhooks());
        if (!delivery && this.#requests.size === 0) return WEBHOOK_POLL_INTERVAL_MS;
        if (delivery) this.#start(delivery);
        // The wait ends with an answer, because the next event of its aircraft may follow at once.
        else await Promise.race([...this.#requests.keys(), sleep(WEBHOOK_POLL_INTERVAL_MS)]);
      }
      return 0;
    } catch (error) {
      log.warn({ err: error }, 'the events of webhooks could not be read');
      return WEBHOOK_ERROR_DELAY_MS;
    }
  }

  #start(delivery: ClaimedDelivery): void {
    const request: Promise<void> = this.#deliver(delivery).finally(() => this.#requests.delete(request));
    this.#requests.set(request, delivery.webhook_id);
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    try {
      const attempt = await deliverEvent(this.#db, delivery, this.#options, this.#stopping);
      if (!attempt) return;
      deliveredEvents.publish(attempt.error === undefined ? 'delivered' : 'failed');
      if (attempt.error !== undefined) log.warn(attempt, 'a webhook did not take an event');
    } catch (error) {
      log.warn({ err: error, deliveryId: delivery.id }, 'what became of an event could not be recorded');
    }
  }

  #busyWebhooks(): number[] {
    const open = [...this.#requests.values()];
    const requestsOf = (webhookId: number) => open.filter((each) => each === webhookId).length;
    return [...new Set(open)].filter((webhookId) => requestsOf(webhookId) >= MAX_REQUESTS_OF_WEBHOOK);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Receiver, startReceiver } from '#tests/support/receiver.ts';
import { insertToldWebhook, removeWebhook } from '#tests/support/webhooks.ts';
import type { CrewFault, Scene } from '../fault.ts';
import { appOf } from '../lab/lab.ts';

/** The wait is longer than the first pauses between two tries. */
const PATIENCE_MS = 120_000;
const TIMES = 3;

interface Watched {
  receiver: Receiver;
  webhookId: number;
  /** Moment after which every change of a flight is an event. */
  since: Date;
}

let watched: Watched | undefined;

export const webhookFaults: CrewFault[] = [
  {
    name: 'webhook-failing',
    does: 'A webhook whose receiver answers 500 to every third event, hangs up on others and sees the app killed by kill -9, three times.',
    harm: async (scene) => {
      const { receiver } = (watched = await watch(scene));
      for (let time = 0; time < (scene.isBrief ? 1 : TIMES); time += 1) {
        // The closed connection leaves it open whether the event was taken.
        receiver.answer = (_event, response) => void response.socket?.destroy();
        await scene.crew.acknowledges(8, 10_000);
        const app = appOf(scene.lab);
        await app.end('SIGKILL');
        receiver.answer = (_event, response) =>
          void response.writeHead(receiver.received.length % 3 === 0 ? 500 : 204).end();
        await app.start();
        await scene.crew.acknowledges(8, 10_000);
      }
      receiver.answer = (_event, response) => void response.writeHead(204).end();
    },
    check: everyEventReceived,
    restore: async ({ db }) => {
      if (!watched) return;
      await watched.receiver.stop();
      await removeWebhook(db, watched.webhookId);
    },
  },
];

async function watch({ lab: { db }, crew: { schoolId } }: Scene): Promise<Watched> {
  const receiver = await startReceiver();
  const webhookId = await insertToldWebhook(db, schoolId, receiver.url);
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return { receiver, webhookId, since: rows[0]?.at ?? new Date() };
}

/** At least once each, with the number that says which of two is newer. */
async function everyEventReceived({ lab: { db }, crew: { schoolId } }: Scene): Promise<string[]> {
  if (!watched) return ['no webhook was watched'];
  const { receiver, webhookId, since } = watched;
  const deliveries = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'message_id', 'state'])
    .where('webhook_id', '=', webhookId)
    .orderBy('id');
  const isWaiting = async () => (await deliveries.execute()).some(({ state }) => state === 'waiting');
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && (await isWaiting());) await sleep(500);
  const rows = await deliveries.execute();
  const unraised = await sql`
    select 'flight.started', id from flight_logs where school_id = ${schoolId} and created_at > ${since}
    union all select 'flight.completed', id from flight_logs where school_id = ${schoolId} and completed_at > ${since}
    union all select 'flight.cancelled', id from flight_logs where school_id = ${schoolId} and voided_at > ${since}
    except all select event, (data::jsonb ->> 'id')::integer from webhook_deliveries where webhook_id = ${webhookId}`.execute(
    db,
  );
  const arrived = [...new Set(receiver.received.map(({ id }) => id))];
  const missing = rows.filter(({ message_id }) => !arrived.includes(message_id));
  const sequenceOf = new Map(rows.map(({ id, message_id }) => [message_id, id]));
  const misnumbered = receiver.received.filter(({ id, body }) => sequenceOf.get(id) !== body.sequence);
  return [
    ...(rows.length === 0 ? ['no event was raised'] : []),
    ...(unraised.rows.length > 0 ? [`${unraised.rows.length} changes of flights raised no event`] : []),
    ...(missing.length > 0 ? [`${missing.length} of ${rows.length} events never arrived`] : []),
    ...(misnumbered.length > 0 ? [`${misnumbered.length} events arrived under another number`] : []),
  ];
}

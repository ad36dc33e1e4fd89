import { setTimeout as sleep } from 'node:timers/promises';
import type { Mailbox } from '#tests/support/mailbox.ts';
import type { CrewFault, Scene } from '../fault.ts';
import { appOf, type Lab } from '../lab/lab.ts';

/** The wait is longer than the first pauses between two tries. */
const MAIL_PATIENCE_MS = 90_000;

export const mailFaults: CrewFault[] = [
  {
    name: 'mail-down',
    does: 'The mail server refuses connections for 5 seconds.',
    harm: (scene) => withMail(scene, (lab) => (lab.mail.newConnections = 'refuse'), true),
    check: everyInvitationMailed,
  },
  {
    name: 'mail-silent',
    does: 'The mail server takes connections and says nothing, for 5 seconds.',
    harm: (scene) => withMail(scene, (lab) => (lab.mail.newConnections = 'swallow'), true),
    check: everyInvitationMailed,
  },
  {
    name: 'mail-slow',
    does: 'The mail server takes 1.5 seconds for each recipient.',
    harm: (scene) => withMood(scene, 'answer slowly'),
    check: everyInvitationMailed,
  },
  {
    name: 'mail-450',
    does: 'The mail server refuses each recipient for now (450), as greylisting does.',
    harm: (scene) => withMood(scene, 'refuse the recipient for now'),
    check: everyInvitationMailed,
  },
  {
    name: 'mail-550',
    does: 'The mail server refuses each recipient for good (550).',
    harm: (scene) => withMood(scene, 'refuse the recipient'),
  },
  {
    name: 'mail-hangs-up',
    does: 'The mail server takes each mail and hangs up without a word.',
    harm: (scene) => withMood(scene, 'hang up after the mail'),
    check: everyInvitationMailed,
  },
  {
    name: 'killed-after-mail',
    does: 'kill -9 of the app between the 250 of the mail server and the mark in the outbox, three times.',
    harm: async ({ lab, crew }) => {
      for (let time = 0; time < 3; time += 1) {
        await killedAfterMail(lab);
        await crew.acknowledges(8, 10_000);
      }
    },
    check: everyInvitationMailed,
  },
];

async function withMail({ lab, crew }: Scene, harm: (lab: Lab) => unknown, resets = false): Promise<void> {
  harm(lab);
  if (resets) lab.mail.resetOpen();
  await sleep(5000);
  await crew.acknowledges(10, 10_000);
  lab.mail.newConnections = 'forward';
  lab.mail.resetOpen();
  lab.mailbox.mood = undefined;
}

function withMood(scene: Scene, mood: NonNullable<Mailbox['mood']>): Promise<void> {
  return withMail(scene, ({ mailbox }) => (mailbox.mood = mood));
}

async function killedAfterMail(lab: Lab): Promise<void> {
  const app = appOf(lab);
  const accepted = new Promise<void>((resolve) => {
    lab.mailbox.onAccepted = () => {
      app.signal('SIGKILL');
      resolve();
    };
  });
  await Promise.race([accepted, sleep(10_000)]);
  lab.mailbox.onAccepted = () => {};
  await app.end('SIGKILL');
  await app.start();
}

/** Returns a sentence unless each invitation was mailed at least once, always with the same Message-ID. */
async function everyInvitationMailed({ lab, crew }: Scene): Promise<string[]> {
  const wanted = crew.ledger.writes
    .filter(({ marker, verdict }) => verdict === 'acknowledged' && marker.startsWith('invitation '))
    .map(({ marker }) => marker.slice('invitation '.length));
  const mailsTo = (email: string) => lab.mailbox.received.filter(({ recipients }) => recipients.includes(email));
  const missing = () => wanted.filter((email) => mailsTo(email).length === 0);
  for (const end = Date.now() + MAIL_PATIENCE_MS; Date.now() < end && missing().length > 0;) await sleep(100);
  const differing = wanted.filter(
    (email) => new Set(mailsTo(email).map(({ headers }) => headers['message-id'])).size > 1,
  );
  return [
    ...(missing().length > 0 ? [`${missing().length} of ${wanted.length} invitations were never mailed`] : []),
    ...(differing.length > 0 ? [`${differing.length} invitations were mailed twice under two Message-IDs`] : []),
  ];
}

import { EventEmitter, once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { type ReadMail, readMail } from './read-mail.ts';

/** How long a mail may take on a busy machine. */
const PATIENCE = 120_000;
/** Within every deadline of a client's. */
const SLOW_ANSWER_MS = 1500;

type ReceivedMail = ReadMail & {
  /** The envelope: who it really goes to. */
  recipients: string[];
};

type Mood =
  | 'refuse the sender'
  | 'refuse the recipient'
  | 'refuse the recipient for now'
  | 'refuse the mail'
  | 'refuse the mail for good'
  | 'answer slowly'
  | 'hang up after the mail'
  | 'hang';

export interface Mailbox {
  /** What SMTP_URL is set to. */
  url: string;
  received: ReceivedMail[];
  /** How the server treats what comes next; undefined takes it. */
  mood: Mood | undefined;
  /** Mails it has begun to take. */
  begun: number;
  /** Called in the moment in which a mail is accepted, before the client can know. */
  onAccepted: () => void;
  /** Leaves the mails that come unanswered until the function it returns is called. */
  pause(): () => void;
  /** The newest mail to an address, once it is there. */
  to(address: string, nth?: number): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** A real SMTP server which keeps what it is sent, on a free port. The caller stops it. */
export async function startMailbox(): Promise<Mailbox> {
  let unpaused = Promise.resolve();
  const news = new EventEmitter();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) => {
      if (mailbox.mood === 'refuse the sender') done(Object.assign(new Error('Not allowed'), { responseCode: 550 }));
      else done();
    },
    onRcptTo: (_address, _session, done) => {
      if (mailbox.mood === 'refuse the recipient')
        done(Object.assign(new Error('No such user'), { responseCode: 550 }));
      else if (mailbox.mood === 'refuse the recipient for now')
        done(Object.assign(new Error('Busy'), { responseCode: 450 }));
      else if (mailbox.mood === 'answer slowly') setTimeout(done, SLOW_ANSWER_MS);
      else done();
    },
    onData: (stream, session, done) => {
      mailbox.begun += 1;
      const receive = async (parts: Uint8Array[]) => {
        const raw = Buffer.concat(parts).toString('utf8');
        if (mailbox.mood === 'hang') return;
        if (mailbox.mood === 'refuse the mail')
          return done(Object.assign(new Error('Try later'), { responseCode: 451 }));
        if (mailbox.mood === 'refuse the mail for good')
          return done(Object.assign(new Error('Looks like spam'), { responseCode: 554 }));
        await unpaused;
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mailbox.received.push({ ...readMail(raw), recipients });
        news.emit('mail');
        if (mailbox.mood === 'hang up after the mail') return hangUp(session.id);
        mailbox.onAccepted();
        done();
      };
      stream.toArray().then(receive).catch(done);
    },
  });
  // A client that gives up on a server that hangs is what some tests are about.
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.');

  const hangUp = (sessionId: string) => {
    for (const connection of server.connections) if (connection.id === sessionId) connection.close();
  };
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${address.port}?from=desk@school.example&tls=optional`,
    received: [],
    mood: undefined,
    begun: 0,
    onAccepted: () => {},
    pause: () => {
      let resume = () => {};
      unpaused = new Promise((resolve) => (resume = resolve));
      return resume;
    },
    to: async (wanted, nth = 1) => {
      const signal = AbortSignal.timeout(PATIENCE);
      for (;;) {
        const found = mailbox.received.filter(({ recipients }) => recipients.includes(wanted))[nth - 1];
        if (found) return found;
        await once(news, 'mail', { signal }).catch(() => {
          const others = mailbox.received.map(({ recipients }) => recipients).join();
          throw new Error(`no mail to ${wanted}, but to ${others}`);
        });
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}

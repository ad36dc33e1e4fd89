import { MessageReader } from '#tests/support/postgres-messages.ts';

/** The moment of a cut: before the statement reaches Postgres, or once it is done and its answer is on the way. */
export type Cut = 'before' | 'after';

interface ConnectionTap {
  /** Returns the bytes that may pass on; none once the connection is cut. */
  fromClient(chunk: Buffer): Buffer;
  fromServer(chunk: Buffer): Buffer;
}

const NOTHING = Buffer.alloc(0);
const STATEMENTS = ['Q', 'B'];
const READY = 'Z';

/** Decides on each statement, by its text, whether to cut the connection there. */
export type Decide = (statement: string) => Cut | undefined;

/**
 * Reads the statements of one connection off Postgres' wire protocol and cuts it where `decide` says so. Node-postgres
 * sends one statement at a time on a connection.
 */
export function tapConnection(decide: Decide, cut: () => void): ConnectionTap {
  const fromClient = new MessageReader({ startsWithStartup: true });
  const fromServer = new MessageReader();
  let isCut = false;
  let cutsWhenReady = false;
  const end = () => {
    isCut = true;
    cut();
    return NOTHING;
  };
  return {
    fromClient: (chunk) => {
      for (const { type, text } of fromClient.read(chunk)) {
        const where = STATEMENTS.includes(type) ? decide(text) : undefined;
        if (where === 'before') return end();
        if (where === 'after') cutsWhenReady = true;
      }
      return isCut ? NOTHING : chunk;
    },
    fromServer: (chunk) => {
      const isReady = fromServer.read(chunk).some(({ type }) => type === READY);
      if (isCut) return NOTHING;
      if (!cutsWhenReady) return chunk;
      return isReady ? end() : NOTHING;
    },
  };
}

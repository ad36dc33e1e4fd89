/** Where a connection is cut: before the statement reaches Postgres, or once it is done and its answer is on the way. */
export type Cut = 'before' | 'after';

interface ConnectionTap {
  /** What may pass on; nothing once the connection is cut. */
  fromClient(chunk: Buffer): Buffer;
  fromServer(chunk: Buffer): Buffer;
}

const NOTHING = Buffer.alloc(0);
const CODE = { query: 'Q', parse: 'P', ready: 'Z' };

/** Decides on each statement, by its text, whether to cut the connection there. */
export type Decide = (statement: string) => Cut | undefined;

/**
 * Reads the statements of one connection off Postgres' wire protocol and cuts it where `decide` says so. Node-postgres
 * sends one statement at a time on a connection.
 */
export function tapConnection(decide: Decide, cut: () => void): ConnectionTap {
  const fromClient = new Messages(true);
  const fromServer = new Messages(false);
  let isCut = false;
  let cutsWhenReady = false;
  const end = () => {
    isCut = true;
    cut();
    return NOTHING;
  };
  return {
    fromClient: (chunk) => {
      for (const { code, body } of fromClient.read(chunk)) {
        const statement = statementIn(code, body);
        const where = statement === undefined ? undefined : decide(statement);
        if (where === 'before') return end();
        if (where === 'after') cutsWhenReady = true;
      }
      return isCut ? NOTHING : chunk;
    },
    fromServer: (chunk) => {
      const isReady = fromServer.read(chunk).some(({ code }) => code === CODE.ready);
      if (isCut) return NOTHING;
      if (!cutsWhenReady) return chunk;
      return isReady ? end() : NOTHING;
    },
  };
}

function statementIn(code: string, body: Buffer): string | undefined {
  if (code === CODE.query) return textAt(body, 0);
  if (code !== CODE.parse) return undefined;
  // The name of the prepared statement comes first.
  return textAt(body, body.indexOf(0) + 1);
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}

interface Message {
  code: string;
  body: Buffer;
}

/** Takes a stream of messages apart, wherever its chunks end. */
class Messages {
  #rest: Buffer = NOTHING;
  /** The client's first message has no code. */
  #isStartup: boolean;

  constructor(isClient: boolean) {
    this.#isStartup = isClient;
  }

  read(chunk: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    for (let message = this.#next(); message; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Message | undefined {
    const at = this.#isStartup ? 0 : 1;
    if (this.#rest.length < at + 4) return undefined;
    const end = at + this.#rest.readInt32BE(at);
    if (this.#rest.length < end) return undefined;
    const message = {
      code: this.#isStartup ? '' : this.#rest.toString('latin1', 0, 1),
      body: this.#rest.subarray(at + 4, end),
    };
    this.#rest = this.#rest.subarray(end);
    this.#isStartup = false;
    return message;
  }
}

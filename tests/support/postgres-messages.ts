export interface Message {
  /** '' for a startup message. */
  type: string;
  bytes: Buffer;
  /** The SQL of a Query, Parse or Bind message. */
  text: string;
  startup?: Record<string, string>;
}

const PROTOCOL = 196_608;

/** Splits what one side of a Postgres connection sends into its messages. */
export class MessageReader {
  #rest = Buffer.alloc(0);
  #startsWithStartup: boolean;
  readonly #prepared = new Map<string, string>();

  constructor({ startsWithStartup = false } = {}) {
    this.#startsWithStartup = startsWithStartup;
  }

  read(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (let message = this.#next(); message; message = this.#next()) messages.push(message);
    return messages;
  }

  static startupMessage(parameters: Record<string, string>): Buffer {
    const pairs = Object.entries(parameters).flatMap(([name, value]) => [name, value]);
    const body = Buffer.from(`${pairs.join('\0')}\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(body.length + 8, 0);
    head.writeInt32BE(PROTOCOL, 4);
    return Buffer.concat([head, body]);
  }

  #next(): Message | undefined {
    const before = this.#startsWithStartup ? 0 : 1;
    if (this.#rest.length < before + 4) return undefined;
    const length = before + this.#rest.readInt32BE(before);
    if (this.#rest.length < length) return undefined;
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    if (!this.#startsWithStartup) return this.#toMessage(bytes);
    this.#startsWithStartup = false;
    return { type: '', bytes, text: '', startup: parametersOf(bytes) };
  }

  #toMessage(bytes: Buffer): Message {
    const type = bytes.toString('latin1', 0, 1);
    if (!['Q', 'P', 'B'].includes(type)) return { type, bytes, text: '' };
    const [first = '', second = ''] = bytes.toString('utf8', 5).split('\0', 2);
    if (type === 'P') this.#prepared.set(first, second);
    return { type, bytes, text: { Q: first, P: second, B: this.#prepared.get(second) }[type] ?? '' };
  }
}

function parametersOf(bytes: Buffer): Record<string, string> {
  const words = bytes.toString('utf8', 8).split('\0').slice(0, -2);
  const names = words.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [name, words[2 * index + 1] ?? '']));
}

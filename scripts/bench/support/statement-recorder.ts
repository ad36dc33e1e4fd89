import { PostgresProxy } from '#tests/support/postgres-proxy.ts';

export interface Statement {
  text: string;
  values: (string | null)[];
}

/** A port in front of a Postgres that keeps what is sent through it. */
export async function startRecorder(databaseUrl: string) {
  const recorder = { url: '', statements: new Array<Statement>(), close: () => proxy.close() };
  const proxy = await PostgresProxy.start(databaseUrl, {
    onMessage: ({ type, text, bytes }) => {
      if (type === 'Q') recorder.statements.push({ text, values: [] });
      if (type === 'B') recorder.statements.push({ text, values: boundValues(bytes) });
    },
  });
  recorder.url = proxy.url;
  return recorder;
}

export type StatementRecorder = Awaited<ReturnType<typeof startRecorder>>;

/** Returns the parameters of a Bind message, all of them sent as text. */
export function boundValues(message: Buffer): (string | null)[] {
  const portalEnd = message.indexOf(0, 5);
  const statementEnd = message.indexOf(0, portalEnd + 1);
  const formats = message.readInt16BE(statementEnd + 1);
  let at = statementEnd + 3 + 2 * formats;
  const count = message.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    at += 4 + Math.max(length, 0);
    return length < 0 ? null : message.toString('utf8', at - length, at);
  });
}

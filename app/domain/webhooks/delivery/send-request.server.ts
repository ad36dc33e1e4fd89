import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { WEBHOOK_ANSWER_MS, WEBHOOK_CONNECT_MS } from '#db/deadlines.ts';
import { MAX_WEBHOOK_ANSWER_BYTES, MAX_WEBHOOK_ANSWER_CHARACTERS } from '#app/limits.ts';
import { addressCheck, checkedLookup, literalAddress, type Resolve } from './target-addresses.server.ts';
import { isOtherService } from './target-ports.ts';

export interface SendOptions {
  allowsPrivateTargets: boolean;
  resolve?: Resolve;
  connectMs?: number;
  answerMs?: number;
}

export interface Answer {
  status: number;
  text: string;
}

/** Posts once, without following redirects. Throws for another service's port, and without a status in time. */
export async function sendRequest(
  url: URL,
  headers: Record<string, string>,
  body: string,
  { allowsPrivateTargets, resolve, ...limits }: SendOptions,
  stopping: AbortSignal,
): Promise<Answer> {
  const { connectMs = WEBHOOK_CONNECT_MS, answerMs = WEBHOOK_ANSWER_MS } = limits;
  if (isOtherService(url)) throw new Error(`Port ${url.port} belongs to another service, such as mail`);
  const check = addressCheck(url, allowsPrivateTargets);
  const literal = literalAddress(url);
  if (literal !== undefined) check(literal);
  const deadline = AbortSignal.timeout(answerMs);
  const isTls = url.protocol === 'https:';
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup: checkedLookup(check, resolve),
    signal: AbortSignal.any([deadline, stopping]),
  });
  const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectMs);
  // An error after the first one, or after the answer, is of no interest, and may not end the process.
  request.on('error', () => {});
  request.once('socket', (socket) => {
    socket.on('error', () => {});
    socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
  });
  try {
    request.end(body);
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (!response) throw new Error('no answer');
    return { status: response.statusCode ?? 0, text: await readBeginning(response) };
  } catch (error) {
    throw deadline.aborted ? new Error('no answer in time', { cause: error }) : error;
  } finally {
    clearTimeout(connecting);
    request.destroy();
  }
}

/** Reads the beginning of the answer, which counts by its status even if the rest never comes. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_WEBHOOK_ANSWER_BYTES) break;
    }
  } catch {
    // The answer broke off, or was slower than the deadline.
  }
  // Postgres stores no NUL.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, MAX_WEBHOOK_ANSWER_CHARACTERS);
}

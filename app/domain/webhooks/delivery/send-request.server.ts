import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { WEBHOOK_ANSWER_MS, WEBHOOK_CONNECT_MS } from '#db/deadlines.ts';
import { MAX_WEBHOOK_ANSWER_BYTES, MAX_WEBHOOK_ANSWER_CHARACTERS, MAX_WEBHOOK_ERROR_CHARACTERS } from '#app/limits.ts';
import { isPortOfOtherService } from '../schema.server.ts';
import { createAddressCheck, createCheckedLookup, literalAddress, type Resolve } from './target-addresses.server.ts';

export interface SendOptions {
  allowsPrivateTargets: boolean;
  resolve?: Resolve;
  connectMs?: number;
  answerMs?: number;
}

interface Answer {
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
  if (isPortOfOtherService(url)) throw new Error(`Port ${url.port} belongs to another service, such as mail`);
  const check = createAddressCheck(url, allowsPrivateTargets);
  const literal = literalAddress(url);
  if (literal !== undefined) check(literal);
  const deadline = AbortSignal.timeout(answerMs);
  const isTls = url.protocol === 'https:';
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup: createCheckedLookup(check, resolve),
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

const CODES: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there.',
  ENOTFOUND: 'Its name is not known.',
  EAI_AGAIN: 'Names cannot be looked up at the moment.',
  ECONNRESET: 'It closed the connection without an answer.',
  ETIMEDOUT: 'It cannot be reached.',
  EHOSTUNREACH: 'It cannot be reached.',
  ENETUNREACH: 'It cannot be reached.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The authority of its certificate is not known here.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The authority of its certificate is not known here.',
};

/** Says in a sentence why there was no answer. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { message } = error;
  const sentence = CODES[code] ?? `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
  return sentence.slice(0, MAX_WEBHOOK_ERROR_CHARACTERS);
}

/** Says what is wrong with the status; undefined for an answer that takes the event. */
export function describeErrorStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed.`;
  return `It answered ${status}.`;
}

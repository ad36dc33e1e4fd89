import { MAX_WEBHOOK_ERROR_CHARACTERS } from '#app/limits.ts';

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
export function describeStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed.`;
  return `It answered ${status}.`;
}

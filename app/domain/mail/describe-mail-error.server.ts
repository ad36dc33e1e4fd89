interface MailError extends Error {
  code?: string;
  response?: string;
  command?: string;
}

const TLS_CAUSES: [RegExp, string][] = [
  [
    /self.signed/i,
    'its certificate is self-signed, so nobody vouches for it. Give the server a certificate of a known authority, or name its authority with NODE_EXTRA_CA_CERTS=file.',
  ],
  [/expired/i, 'its certificate has expired. Renew it on the mail server.'],
  [/altnames|hostname/i, 'its certificate is for another name. Write the name of the certificate into SMTP_URL.'],
  [
    /unable to (get|verify)/i,
    'the authority of its certificate is not known here. Name its file with NODE_EXTRA_CA_CERTS, or let the server send the whole chain.',
  ],
  [
    /wrong version number/i,
    'it does not speak TLS on this port from the first byte. Use smtp:// (STARTTLS, port 587) instead of smtps://.',
  ],
  [
    /STARTTLS/i,
    'it offers no TLS (STARTTLS). Mail would leave in the clear: turn TLS on there, or allow it with &tls=optional in SMTP_URL.',
  ],
];

const CODES: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there: see host and port of SMTP_URL.',
  ENOTFOUND: 'Its name is not known: see the host of SMTP_URL.',
  EDNS: 'Its name is not known: see the host of SMTP_URL.',
  EAI_AGAIN: 'Names cannot be looked up at the moment.',
  ETIMEDOUT: 'It did not answer in time: a firewall, or the wrong port.',
  ETIME: 'It did not answer in time: a firewall, or the wrong port.',
  EAUTH: 'It did not take the user and password of SMTP_URL.',
  EENVELOPE: 'It refused the sender or the recipient.',
  ECONNECTION: 'It closed the connection.',
};

/** Says in sentences why the mail server could not be used. */
export function describeMailError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, response, message }: MailError = error;
  const answered = response === undefined ? '' : ` It answered: ${response.trim()}`;
  const tls = TLS_CAUSES.find(([pattern]) => pattern.test(message));
  if (tls) return `TLS failed: ${tls[1]} (${message})`;
  const words = CODES[code ?? ''] ?? causeIn(message);
  return `${words ?? `${message}.`}${answered || (words === undefined ? '' : ` (${message})`)}`;
}

/** Finds the cause in words, because nodemailer gives ESOCKET to all that the system says. */
function causeIn(message: string): string | undefined {
  return Object.entries(CODES).find(([code]) => message.includes(code))?.[1];
}

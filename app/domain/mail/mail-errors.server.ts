interface MailError extends Error {
  code?: string;
  response?: string;
}

/** What mail server, network or nodemailer said; what it means to whoever runs this server, and to a school's office. */
type Cause = [pattern: RegExp, operator: string, office: string];

const UNREACHED = 'The mail server could not be reached.';
const NOT_FOUND = 'The mail server was not found on the network.';
const UNSAFE = 'No safe connection to the mail server came about.';
const REFUSED = 'The mail server did not take the mail.';

/** The first that fits counts: a refusal also names its number, and a busy server names the address, too. */
const CAUSES: Cause[] = [
  [/ECONNREFUSED/, 'Nothing listens there: see host and port of SMTP_URL.', UNREACHED],
  [/ECONNECTION|ECONNRESET|EPIPE|connection closed/i, 'It closed the connection.', UNREACHED],
  [/EHOSTUNREACH|ENETUNREACH/, 'No way leads to it: see the network of this machine.', UNREACHED],
  [/EAI_AGAIN/, 'Names cannot be looked up at the moment.', NOT_FOUND],
  [/ENOTFOUND|EDNS|getaddrinfo/i, 'Its name is not known: see the host of SMTP_URL.', NOT_FOUND],
  [
    /ETIMEDOUT|ETIME\b|timeout|timed out|greeting never received/i,
    'It did not answer in time: a firewall, or the wrong port.',
    'The mail server did not answer in time.',
  ],
  [
    /self.signed/i,
    'TLS failed: its certificate is self-signed, so nobody vouches for it. Give the server a certificate of a known authority, or name its authority with NODE_EXTRA_CA_CERTS=file.',
    UNSAFE,
  ],
  [/certificate has expired/i, 'TLS failed: its certificate has expired. Renew it on the mail server.', UNSAFE],
  [
    /altnames/i,
    'TLS failed: its certificate is for another name. Write the name of the certificate into SMTP_URL.',
    UNSAFE,
  ],
  [
    /unable to (get|verify)/i,
    'TLS failed: the authority of its certificate is not known here. Name its file with NODE_EXTRA_CA_CERTS, or let the server send the whole chain.',
    UNSAFE,
  ],
  [
    /wrong version number/i,
    'TLS failed: it does not speak TLS on this port from the first byte. Use smtp:// (STARTTLS, port 587) instead of smtps://.',
    UNSAFE,
  ],
  [
    /STARTTLS/i,
    'TLS failed: it offers no TLS (STARTTLS). Mail would leave in the clear: turn TLS on there, or allow it with &tls=optional in SMTP_URL.',
    UNSAFE,
  ],
  [/certificate|\b(TLS|SSL)\b/i, 'TLS failed.', UNSAFE],
  [
    /invalid login|missing credentials|\b5(30|34|35)\b|EAUTH/i,
    'It did not take the user and password of SMTP_URL.',
    'The mail server did not accept the sign-in of this system.',
  ],
  [
    /\b(4|5)\.2\.2\b|\b[45]52\b|quota|mailbox (is )?full/i,
    'The mailbox of the recipient is full.',
    'The mailbox of this address is full.',
  ],
  [
    /\b4\.\d\.\d|\b4[25][01]\b|greylist|try again/i,
    'It is busy, or asks to wait.',
    'The mail server is busy, or asks to wait.',
  ],
  [
    /spam|blocked|policy|blacklist|\b5\.7\.\d+|\b554\b/i,
    'It took the mail for unwanted mail.',
    'The mail server took the mail for unwanted mail.',
  ],
  [
    /\b5\.1\.[0-9]+|\b55[0135]\b|no such user|unknown user/i,
    'It refused the sender or the recipient.',
    'The mail server knows no such address: check its spelling.',
  ],
  [/EENVELOPE/, 'It refused the sender or the recipient.', REFUSED],
];

/** Says in sentences for whoever runs this server why the mail server could not be used. */
export function describeMailError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', response, message }: MailError = error;
  const [, operator] = CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
  const said = response === undefined ? operator && ` (${message})` : ` It answered: ${response.trim()}`;
  return `${operator ?? `${message}.`}${said ?? ''}`;
}

/** Says in a sentence for a school's office why a mail did not leave; `message` is what the mail server or the network said. */
export function explainMailError(message: string): string {
  const [, , office = REFUSED] = CAUSES.find(([pattern]) => pattern.test(message)) ?? [];
  return office;
}

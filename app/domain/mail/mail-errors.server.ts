interface MailError extends Error {
  code?: string;
  response?: string;
}

interface Cause {
  /** Found in what the mail server or the network said, or in nodemailer's code. */
  pattern: RegExp;
  /** Words for whoever runs this server, of the mail server as 'it'. */
  operator: string;
  /** Words for a school's office. */
  office: string;
}

const UNREACHED = 'The mail server could not be reached.';
const NOT_FOUND = 'The mail server was not found on the network.';
const UNSAFE = 'No safe connection to the mail server came about.';
const REFUSED = 'The mail server did not take the mail.';

/** The first that fits counts: a refusal also names its number, and a busy server names the address, too. */
const CAUSES: Cause[] = [
  {
    pattern: /ECONNREFUSED/,
    operator: 'Nothing listens there: see host and port of SMTP_URL.',
    office: UNREACHED,
  },
  {
    pattern: /ECONNECTION|ECONNRESET|EPIPE|connection closed/i,
    operator: 'It closed the connection.',
    office: UNREACHED,
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH/,
    operator: 'No way leads to it: see the network of this machine.',
    office: UNREACHED,
  },
  {
    pattern: /EAI_AGAIN/,
    operator: 'Names cannot be looked up at the moment.',
    office: NOT_FOUND,
  },
  {
    pattern: /ENOTFOUND|EDNS|getaddrinfo/i,
    operator: 'Its name is not known: see the host of SMTP_URL.',
    office: NOT_FOUND,
  },
  {
    pattern: /ETIMEDOUT|ETIME\b|timeout|timed out|greeting never received/i,
    operator: 'It did not answer in time: a firewall, or the wrong port.',
    office: 'The mail server did not answer in time.',
  },
  {
    pattern: /self.signed/i,
    operator:
      'TLS failed: its certificate is self-signed, so nobody vouches for it. Give the server a certificate of a known authority, or name its authority with NODE_EXTRA_CA_CERTS=file.',
    office: UNSAFE,
  },
  {
    pattern: /certificate has expired/i,
    operator: 'TLS failed: its certificate has expired. Renew it on the mail server.',
    office: UNSAFE,
  },
  {
    pattern: /altnames/i,
    operator: 'TLS failed: its certificate is for another name. Write the name of the certificate into SMTP_URL.',
    office: UNSAFE,
  },
  {
    pattern: /unable to (get|verify)/i,
    operator:
      'TLS failed: the authority of its certificate is not known here. Name its file with NODE_EXTRA_CA_CERTS, or let the server send the whole chain.',
    office: UNSAFE,
  },
  {
    pattern: /wrong version number/i,
    operator:
      'TLS failed: it does not speak TLS on this port from the first byte. Use smtp:// (STARTTLS, port 587) instead of smtps://.',
    office: UNSAFE,
  },
  {
    pattern: /STARTTLS/i,
    operator:
      'TLS failed: it offers no TLS (STARTTLS). Mail would leave in the clear: turn TLS on there, or allow it with &tls=optional in SMTP_URL.',
    office: UNSAFE,
  },
  { pattern: /certificate|\b(TLS|SSL)\b/i, operator: 'TLS failed.', office: UNSAFE },
  {
    pattern: /invalid login|missing credentials|\b5(30|34|35)\b|EAUTH/i,
    operator: 'It did not take the user and password of SMTP_URL.',
    office: 'The mail server did not accept the sign-in of this system.',
  },
  {
    pattern: /\b(4|5)\.2\.2\b|\b[45]52\b|quota|mailbox (is )?full/i,
    operator: 'The mailbox of the recipient is full.',
    office: 'The mailbox of this address is full.',
  },
  {
    pattern: /\b4\.\d\.\d|\b4[25][01]\b|greylist|try again/i,
    operator: 'It is busy, or asks to wait.',
    office: 'The mail server is busy, or asks to wait.',
  },
  {
    pattern: /spam|blocked|policy|blacklist|\b5\.7\.\d+|\b554\b/i,
    operator: 'It took the mail for unwanted mail.',
    office: 'The mail server took the mail for unwanted mail.',
  },
  {
    pattern: /\b5\.1\.[0-9]+|\b55[0135]\b|no such user|unknown user/i,
    operator: 'It refused the sender or the recipient.',
    office: 'The mail server knows no such address: check its spelling.',
  },
  { pattern: /EENVELOPE/, operator: 'It refused the sender or the recipient.', office: REFUSED },
];

/** Says in sentences for whoever runs this server why the mail server could not be used. */
export function describeMailError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', response, message }: MailError = error;
  const cause = CAUSES.find(({ pattern }) => pattern.test(`${code} ${message}`));
  const said = response === undefined ? cause && ` (${message})` : ` It answered: ${response.trim()}`;
  return `${cause?.operator ?? `${message}.`}${said ?? ''}`;
}

/** Says in a sentence for a school's office why a mail did not leave; `message` is what the mail server or the network said. */
export function explainMailError(message: string): string {
  return CAUSES.find(({ pattern }) => pattern.test(message))?.office ?? REFUSED;
}

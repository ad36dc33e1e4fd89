/** The first that fits counts: a refusal also names its number, and a busy server names the address, too. */
const CAUSES: [RegExp, string][] = [
  [
    /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|connection closed/i,
    'The mail server could not be reached.',
  ],
  [/ENOTFOUND|EAI_AGAIN|EDNS|getaddrinfo/i, 'The mail server was not found on the network.'],
  [/ETIMEDOUT|ETIME\b|timeout|timed out|greeting never received/i, 'The mail server did not answer in time.'],
  [
    /certificate|altnames|self.signed|wrong version number|STARTTLS|\b[TS][LS]S\b/i,
    'No safe connection to the mail server came about.',
  ],
  [
    /invalid login|missing credentials|\b5(30|34|35)\b|EAUTH/i,
    'The mail server did not accept the sign-in of this system.',
  ],
  [/\b(4|5)\.2\.2\b|\b[45]52\b|quota|mailbox (is )?full/i, 'The mailbox of this address is full.'],
  [/\b4\.\d\.\d|\b4[25][01]\b|greylist|try again/i, 'The mail server is busy, or asks to wait.'],
  [/spam|blocked|policy|blacklist|\b5\.7\.\d+|\b554\b/i, 'The mail server took the mail for unwanted mail.'],
  [
    /\b5\.1\.[0-9]+|\b55[0135]\b|no such user|unknown user/i,
    'The mail server knows no such address: check its spelling.',
  ],
];

/** Says in a sentence for a school's office why a mail did not leave; `message` is what the mail server or the network said. */
export function explainMailError(message: string): string {
  return CAUSES.find(([pattern]) => pattern.test(message))?.[1] ?? 'The mail server did not take the mail.';
}

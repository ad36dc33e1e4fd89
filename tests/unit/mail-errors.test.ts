import { expect, it } from 'vitest';
import { explainMailError } from '#app/domain/mail/mail-errors.server.ts';

it('why a mail did not leave is told to an office in words, without codes (B1384)', () => {
  const words = {
    'could not be reached': ['connect ECONNREFUSED 127.0.0.1:9', 'read ECONNRESET', 'Connection closed unexpectedly'],
    'was not found on the network': ['getaddrinfo ENOTFOUND smtp.school.test', 'queryA EAI_AGAIN smtp.school.test'],
    'did not answer in time': ['Connection timeout', 'Greeting never received'],
    'No safe connection': ['self-signed certificate in chain', 'SSL routines:ssl3_get_record:wrong version number'],
    'did not accept the sign-in': ['Invalid login: 535 5.7.8 Authentication failed', 'Missing credentials for "PLAIN"'],
    'is full': ["Can't send mail - all recipients were rejected: 552 5.2.2 Over quota"],
    'is busy, or asks to wait': ['rejected: 450 4.2.0 Greylisted', 'Message failed: 421 Too many messages'],
    'for unwanted mail': ['Message failed: 554 5.7.1 Blocked by policy', '550 5.7.26 This mail is unauthenticated'],
    'knows no such address': ['rejected: 550 No such user', '550 5.1.1 <pat@school.test>: Recipient address rejected'],
    'The mail server did not take the mail.': ['Something else'],
  };
  for (const [told, messages] of Object.entries(words))
    for (const message of messages) {
      const text = explainMailError(message);
      expect(text, message).toContain(told);
      expect(text).not.toMatch(/\d|E[A-Z]{4,}/);
    }
});

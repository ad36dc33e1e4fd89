import { describe, expect, it } from 'vitest';
import { explainMailError } from '#app/domain/mail/mail-errors.server.ts';

describe('why a mail did not leave', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:9', 'could not be reached'],
    ['read ECONNRESET', 'could not be reached'],
    ['Connection closed unexpectedly', 'could not be reached'],
    ['getaddrinfo ENOTFOUND smtp.school.test', 'was not found on the network'],
    ['queryA EAI_AGAIN smtp.school.test', 'was not found on the network'],
    ['Connection timeout', 'did not answer in time'],
    ['Greeting never received', 'did not answer in time'],
    ['self-signed certificate in certificate chain', 'No safe connection'],
    ['SSL routines:ssl3_get_record:wrong version number', 'No safe connection'],
    ['Invalid login: 535 5.7.8 Authentication failed', 'did not accept the sign-in'],
    ['Missing credentials for "PLAIN"', 'did not accept the sign-in'],
    ["Can't send mail - all recipients were rejected: 552 5.2.2 Over quota", 'is full'],
    ["Can't send mail - all recipients were rejected: 450 4.2.0 Greylisted", 'is busy, or asks to wait'],
    ['Message failed: 421 Too many messages', 'is busy, or asks to wait'],
    ['Message failed: 554 5.7.1 Blocked by policy', 'for unwanted mail'],
    ['550 5.7.26 This mail is unauthenticated', 'for unwanted mail'],
    ["Can't send mail - all recipients were rejected: 550 No such user", 'knows no such address'],
    ['550 5.1.1 <pat@school.test>: Recipient address rejected', 'knows no such address'],
    ['Something else', 'The mail server did not take the mail.'],
  ])("'%s' is told to an office as one that says '%s' (B1384)", (message, words) => {
    const text = explainMailError(message);
    expect(text).toContain(words);
    expect(text).not.toMatch(/\d|E[A-Z]{4,}/);
  });
});

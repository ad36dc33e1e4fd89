import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { isThisMachine } from '#db/hosts.ts';
import {
  MAIL_SEND_TIMEOUT_MS,
  SMTP_CONNECTION_TIMEOUT_MS,
  SMTP_GREETING_TIMEOUT_MS,
  SMTP_SOCKET_TIMEOUT_MS,
} from '#app/limits.ts';
import type { SendMail } from './mail-job.server.ts';
import type { WaitingMail } from './queries.server.ts';

export interface MailSettings {
  SMTP_URL?: string | undefined;
  APP_URL: string;
  DATA_DIR: string;
  PRODUCT_NAME: string;
}

/** The timeouts replace nodemailer's, which are minutes. */
const SMTP_TIMEOUTS = {
  connectionTimeout: SMTP_CONNECTION_TIMEOUT_MS,
  greetingTimeout: SMTP_GREETING_TIMEOUT_MS,
  socketTimeout: SMTP_SOCKET_TIMEOUT_MS,
};

/** Uses SMTP_URL, or else writes .eml files to DATA_DIR/mail. */
export function createMailTransport(settings: MailSettings): SendMail {
  const from = { name: settings.PRODUCT_NAME, address: senderAddress(settings) };
  return settings.SMTP_URL === undefined
    ? fileSender(path.join(settings.DATA_DIR, 'mail'), from)
    : smtpSender(settings.SMTP_URL, from);
}

/** Returns `?from=` of SMTP_URL, else its user, else an address at APP_URL's host. */
export function senderAddress({ SMTP_URL, APP_URL }: Pick<MailSettings, 'SMTP_URL' | 'APP_URL'>): string {
  const url = SMTP_URL === undefined ? undefined : new URL(SMTP_URL);
  const user = decodeURIComponent(url?.username ?? '');
  return url?.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${new URL(APP_URL).hostname}`);
}

function smtpSender(smtpUrl: string, from: SendMailOptions['from']): SendMail {
  const transport = createSmtpTransport(smtpUrl);
  return async (mail) => {
    await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(MAIL_SEND_TIMEOUT_MS) });
    return undefined;
  };
}

/** A mail server on this machine seldom has a certificate that anybody vouches for. */
const UNVERIFIED = { tls: { rejectUnauthorized: false } };

/** Sends nothing in the clear to another machine unless SMTP_URL says `?tls=optional`. */
export function createSmtpTransport(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const isHere = isThisMachine(url.hostname);
  const requireTLS = !isHere && url.searchParams.get('tls') !== 'optional';
  for (const name of ['from', 'tls']) url.searchParams.delete(name);
  return createTransport({ url: url.href, requireTLS, ...(isHere && UNVERIFIED), ...SMTP_TIMEOUTS });
}

function fileSender(folder: string, from: SendMailOptions['from']): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (mail) => {
    const { message } = await transport.sendMail(messageOf(mail, from));
    const file = path.join(folder, `${mail.created_at.toISOString().replaceAll(':', '-')}-${mail.id}.eml`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, message, { mode: 0o600 });
    return file;
  };
}

function messageOf(mail: WaitingMail, from: SendMailOptions['from']): SendMailOptions {
  return {
    from,
    // The value is an object, because a comma in a formatted name would split the address.
    to: { name: mail.to_name, address: mail.to_address },
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    // The id stays the same across retries, so that mail clients show a duplicate once.
    messageId: `<${mail.id}.${mail.created_at.getTime()}@flightline>`,
    date: mail.created_at,
    headers: { 'auto-submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

import { describeMailError } from '#app/domain/mail/mail-errors.server.ts';
import { createSmtpTransport, senderAddress } from '#app/domain/mail/transport.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { defineCommand, UsageError } from './command.ts';

export const command = defineCommand({
  summary: 'sends a mail to ADDRESS and says what the mail server answered',
  help: `Sends a short mail to ADDRESS with the settings of the server (SMTP_URL, APP_URL, PRODUCT_NAME), and prints what the
mail server answered to it, or in words why it could not be used.
Exit codes: 0 the server took the mail, 1 it did not, or SMTP_URL is not set.`,
  operands: ['ADDRESS'],
  options: {},
  run: async ({ operands: [address = ''], settings }) => {
    if (!/^[^\s@,;<>]+@[^\s@,;<>]+$/.test(address)) throw new UsageError(`'${address}' is no mail address.`);
    const { SMTP_URL, PRODUCT_NAME } = settings;
    if (SMTP_URL === undefined)
      throw new StartupError('SMTP_URL is not set: mails become files in DATA_DIR/mail, and none is sent.');
    const APP_URL = settings.APP_URL ?? `http://localhost:${settings.PORT}`;
    const from = { name: PRODUCT_NAME, address: senderAddress({ SMTP_URL, APP_URL }) };
    const { host } = new URL(SMTP_URL);
    const transport = createSmtpTransport(SMTP_URL);
    try {
      const { response } = await transport.sendMail({
        from,
        to: { name: '', address },
        subject: `A test mail of ${PRODUCT_NAME}`,
        text: `This mail was sent by \`npm run flightline -- mail:test\`, for ${APP_URL}.\n`,
        headers: { 'auto-submitted': 'auto-generated' },
      });
      console.log(`${host} took the mail from ${from.address} to ${address}. It answered: ${response}`);
      return 0;
    } catch (error) {
      console.log(`${host} did not take the mail from ${from.address} to ${address}.\n${describeMailError(error)}`);
      return 1;
    } finally {
      transport.close();
    }
  },
});

import { access, constants, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeMailError } from '#app/domain/mail/mail-errors.server.ts';
import { createSmtpTransport } from '#app/domain/mail/transport.server.ts';
import type { LaunchSettings } from '../../launcher/environment.ts';
import { size } from '../words.ts';
import { type Finding, fault, note, ok } from './finding.ts';

const FULL_BELOW_BYTES = 200_000_000;
const NEARLY_FULL_SHARE = 0.1;

/** Checks the disks that this machine writes to; a database elsewhere watches its own. */
export async function checkDisks({ DATA_DIR }: Pick<LaunchSettings, 'DATA_DIR'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [about, folder] of [
    ['disk of DATA_DIR', DATA_DIR],
    ['disk of the temporary folder', tmpdir()],
  ] as const) {
    const disk = await statfs(folder).catch(() => undefined);
    if (!disk) {
      findings.push(
        (await canBeMade(folder))
          ? note(about, `${folder} does not exist yet`)
          : fault(about, `${folder} cannot be made`, 'make it, and give it to the user who runs Flightline.'),
      );
      continue;
    }
    if (!(await isWritable(folder))) {
      findings.push(fault(about, `${folder} cannot be written`, 'give it to the user who runs Flightline.'));
      continue;
    }
    const free = disk.bavail * disk.bsize;
    const text = `${size(free)} free of ${size(disk.blocks * disk.bsize)} (${folder})`;
    if (free < FULL_BELOW_BYTES) findings.push(fault(about, text, 'make room: a full disk stops every check-in.'));
    else if (disk.bavail < disk.blocks * NEARLY_FULL_SHARE) findings.push(note(about, text, 'make room soon.'));
    else findings.push(ok(about, text));
  }
  return findings;
}

/** Returns true if this user can make the folder, in the nearest one above it that exists. */
async function canBeMade(folder: string): Promise<boolean> {
  const parent = path.dirname(folder);
  const found = await stat(parent).catch(() => undefined);
  if (!found) return parent !== folder && canBeMade(parent);
  return found.isDirectory() && isWritable(parent);
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Checks that the mail server takes a connection, and the user and password of SMTP_URL. */
export async function checkMail({ SMTP_URL, APP_URL }: LaunchSettings): Promise<Finding> {
  if (SMTP_URL === undefined) {
    const text = 'no SMTP_URL: mails become files in DATA_DIR/mail, and nobody gets them';
    return APP_URL?.startsWith('https:')
      ? fault('mail', text, 'set SMTP_URL, then `npm run flightline -- mail:test ADDRESS`.')
      : note('mail', text);
  }
  const transport = createSmtpTransport(SMTP_URL);
  try {
    await transport.verify();
    return ok('mail', `${new URL(SMTP_URL).host} takes connections`);
  } catch (error) {
    return fault(
      'mail',
      `${new URL(SMTP_URL).host}: ${describeMailError(error)}`,
      'see SMTP_URL; `npm run flightline -- mail:test ADDRESS` shows more.',
    );
  } finally {
    transport.close();
  }
}

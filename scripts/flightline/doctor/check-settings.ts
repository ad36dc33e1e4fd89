import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { readSettings } from '#app/settings.server.ts';
import type { LaunchSettings } from '../../launcher/environment.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** Checks the settings as the server would read them; `url` is the address of its database. */
export async function checkSettings(settings: LaunchSettings, url: string): Promise<Finding[]> {
  const hasSecret =
    settings.SESSION_SECRET !== undefined || (await exists(path.join(settings.DATA_DIR, 'session-secret')));
  const secret = settings.SESSION_SECRET ?? 'made by quickstart, and kept in the data folder';
  const findings: Finding[] = [];
  try {
    readSettings({
      ...process.env,
      DATABASE_URL: url,
      DATABASE_URL_FILE: '',
      SESSION_SECRET: secret,
      SESSION_SECRET_FILE: '',
    });
    findings.push(ok('settings', 'well-formed'));
  } catch (error) {
    findings.push(
      fault('settings', error instanceof Error ? error.message : String(error), 'change the setting named.'),
    );
  }
  if (!hasSecret)
    findings.push(
      note(
        'SESSION_SECRET',
        'is not set here: `npm start` needs it',
        'run this with the settings of the server, or set it: openssl rand -base64 32',
      ),
    );
  return [...findings, ...checkAddress(settings)];
}

function checkAddress({ APP_URL, TRUST_PROXY, HOST }: LaunchSettings): Finding[] {
  if (APP_URL === undefined)
    return [note('APP_URL', 'is not set: mails link to this machine alone', 'set it to the address that people type.')];
  const url = new URL(APP_URL);
  const findings: Finding[] = [];
  if (url.protocol === 'http:' && !isHere(url.hostname))
    findings.push(
      fault(
        'APP_URL',
        'is http: passwords and cookies cross the network in the clear',
        'put a proxy with TLS in front, and set APP_URL to https://…',
      ),
    );
  if (url.protocol === 'https:' && TRUST_PROXY === 0)
    findings.push(
      fault(
        'TRUST_PROXY',
        'is 0 behind a proxy: every visitor has the address of the proxy, and shares its limits',
        'set TRUST_PROXY=1.',
      ),
    );
  if (url.protocol === 'https:' && !isHere(HOST))
    findings.push(
      note(
        'HOST',
        `is ${HOST}: the server is also reached without the proxy`,
        'set HOST=127.0.0.1 where the proxy runs on this machine.',
      ),
    );
  return findings.length > 0 ? findings : [ok('address', APP_URL)];
}

function isHere(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host);
}

function exists(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

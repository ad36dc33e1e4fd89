import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';

/** The one that `npm test` brings where the machine has none. */
export const OWN_CHROMIUM = '.data/chromium/chromium';
/** The headless shell first: without windows to draw, a page costs it little more than half. */
const PLACES = [
  ...['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  OWN_CHROMIUM,
];

/** Features of Chromium that no journey needs: this list stands instead of Playwright's. */
const UNWANTED = [
  // The address bar's drop-down, and pages kept ready: two or three processes for every window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  // As Playwright has it: pages that are shown and closed at once, and a browser that asks nobody outside.
  'PaintHolding',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'AimEnabled',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${UNWANTED.join()}`,
];

/** All pages in one process, which is cheap. */
const ONE_PROCESS = ['--process-per-site', '--renderer-process-limit=1'];

/** The Chromium of this machine, or of CHROMIUM_PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? [], PLACES].flat().find((place) => existsSync(place));
}

/** Starts Chromium; `flags` come on top, as a fake camera's do. The caller closes it. */
export async function launchBrowser(flags: string[] = [], processes = ONE_PROCESS): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium here: `npm test` installs one, or name one in CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: [...FLAGS, ...processes, ...flags] });
}

import { readFileSync, readdirSync } from 'node:fs';
import { chromium } from 'playwright';
import { BASE, signIn, withServedApp } from './bench/support/served-app.ts';
import { twoMeters } from '#tests/support/pictures.ts';
await withServedApp(async ({ school }) => {
  const cookie = await signIn(school.administrator.username);
  const send = async (image: Buffer, aircraftId: number) =>
    (
      await fetch(BASE + '/api/analyze-image', {
        method: 'POST',
        headers: { cookie, origin: BASE, 'content-type': 'application/json' },
        body: JSON.stringify({ imageData: image.toString('base64'), meterType: 'hobbs', aircraftId }),
      })
    ).json();
  const dir = '/work/shared/meters/dev/';
  const scans: any[] = [];
  for (const f of readdirSync(dir)
    .filter((f) => f.includes('trodo_mech'))
    .slice(0, 70)) {
    const s: any = await send(readFileSync(dir + f), school.free);
    if (s.figures?.some((x: any) => x.other) || s.otherKind === 'other counter') {
      console.log(
        f,
        s.detectedText,
        s.confidence,
        s.otherText,
        s.otherKind,
        JSON.stringify(s.figures.filter((x: any) => x.other)),
      );
      scans.push(s);
    }
    if (scans.length >= 5) break;
  }
  const two: any = await send(await twoMeters('004812', '007396'), school.free);
  console.log(two.detectedText, two.otherText, two.otherKind, two.confidence);
  scans.push(two);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  for (const [w, scheme, js] of [
    [390, 'light', true],
    [1280, 'dark', false],
  ] as const) {
    const ctx = await browser.newContext({
      viewport: { width: w, height: 900 },
      colorScheme: scheme,
      javaScriptEnabled: js,
      baseURL: BASE,
      extraHTTPHeaders: { cookie },
    });
    const page = await ctx.newPage();
    await page.goto(`/ocr?scan=${scans[0].id}`);
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/yprof/ocr-${w}.png` });
    await page.goto(`/ocr?scan=${two.id}`);
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/yprof/two-${w}.png` });
    await page.goto(`/ocr/history`);
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/yprof/hist-${w}.png`, fullPage: w === 1280 });
    await page.goto(`/flight-log?step=0`);
    await ctx.close();
  }
  await browser.close();
});

import { expect, it } from 'vitest';
import { deviceName } from '#app/server/session/known-device.server.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it('a session is listed by its browser and system, as far as they are known (B482)', () => {
  const names: [string, string][] = [
    [`${WINDOWS} ${CHROME}`, 'Chrome on Windows'],
    [`${WINDOWS} ${CHROME} Edg/142.0.0.0`, 'Edge on Windows'],
    [`${WINDOWS} ${CHROME} OPR/125.0.0.0`, 'Opera on Windows'],
    [
      `(Linux; Android 16; SM-S931B) ${CHROME.replace('Chrome', 'SamsungBrowser/29.0 Chrome')}`,
      'Samsung Internet on Android',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 16328.55.0) ${CHROME}`, 'Chrome on ChromeOS'],
    [`${PHONE} Version/18.6 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
    [`${PHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
    [`${PHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
    ['curl/8.5.0', 'Unknown device'],
  ];
  for (const [agent, name] of names)
    expect(deviceName(new Request('http://localhost:3000/', { headers: { 'user-agent': agent } }))).toBe(name);
});

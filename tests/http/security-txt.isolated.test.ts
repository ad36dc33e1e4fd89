import { afterEach, expect, it, vi } from 'vitest';
import { readSettings } from '#app/settings.server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function securityTxt(contact: string): Promise<Response> {
  vi.resetModules();
  vi.stubEnv('SECURITY_CONTACT', contact);
  vi.stubEnv('APP_URL', 'https://flights.example');
  const { loader } = await import('#app/routes/[.]well-known.security[.]txt/route.ts');
  return loader();
}

it('security.txt names a contact, where it stands and an end within a year, and is not there without one (B442)', async () => {
  const response = await securityTxt('mailto:security@school.example');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  const fields = Object.fromEntries(lines.map((line) => line.split(': ')));
  expect(fields).toEqual({
    Contact: 'mailto:security@school.example',
    Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    'Preferred-Languages': 'en',
    Canonical: 'https://flights.example/.well-known/security.txt',
  });
  const days = (new Date(fields.Expires).getTime() - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  expect((await securityTxt('')).status).toBe(404);
  const required = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'x'.repeat(32) };
  const none = [
    'security@school.example',
    'http://school.example',
    'javascript:alert(1)',
    'mailto:a@b.example\nExpires: x',
  ];
  for (const SECURITY_CONTACT of none)
    expect(() => readSettings({ ...required, SECURITY_CONTACT }), SECURITY_CONTACT).toThrow('SECURITY_CONTACT');
});

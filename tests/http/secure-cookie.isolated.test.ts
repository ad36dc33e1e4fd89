import { expect, it, vi } from 'vitest';

it('where APP_URL is https the session cookie is __Host- and Secure (C26)', async () => {
  vi.stubEnv('APP_URL', 'https://school.example');
  const { sessionCookie } = await import('#app/server/session/cookies.server.ts');
  expect(await sessionCookie.serialize('token')).toMatch(
    /^__Host-flightline=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/,
  );
});

import { expect, it, onTestFinished, vi } from 'vitest';

it.each([
  ['1', true],
  ['', false],
])('with WEBHOOK_PRIVATE_TARGETS=%s a webhook in the own network may be http: %s (B882)', async (value, isTaken) => {
  vi.stubEnv('WEBHOOK_PRIVATE_TARGETS', value);
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  const { addWebhookSchema } = await import('#app/domain/webhooks/schema.server.ts');
  const input = { url: 'http://10.0.0.7:8080/events', events: ['flight.started'] };
  expect(addWebhookSchema.safeParse(input).success).toBe(isTaken);
});

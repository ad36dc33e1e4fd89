import type { Call } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const webhooksCalls: Call[] = [
  {
    method: 'get',
    path: '/api/webhooks',
    id: 'listWebhooks',
    summary: 'The webhooks of the school, without their secrets; see docs/webhooks.md',
    response: ANSWERS.Webhooks,
    errorStatuses: [403, 409],
  },
  {
    method: 'post',
    path: '/api/webhooks',
    id: 'addWebhook',
    summary: 'Add a webhook, within 15 minutes of the password; an access token may not',
    body: BODIES.NewWebhook,
    example: { url: 'https://books.example/flightline', events: ['flight.completed', 'flight.corrected'] },
    created: true,
    response: ANSWERS.WebhookWithSecret,
    errorStatuses: [403, 409, 422],
  },
  {
    method: 'patch',
    path: '/api/webhooks/{id}',
    id: 'changeWebhook',
    summary: 'Pause or resume a webhook, change its events, or its address as when adding one; what is absent stays',
    body: BODIES.WebhookChange,
    example: { paused: true },
    response: ANSWERS.Webhook,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'delete',
    path: '/api/webhooks/{id}',
    id: 'removeWebhook',
    summary: 'Remove a webhook',
    response: ANSWERS.Nothing,
    errorStatuses: [403, 404, 409, 422],
  },
];

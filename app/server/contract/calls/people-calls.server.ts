import { type Call, get, patch, post, remove } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const peopleCalls: Call[] = [
  get('/api/users', 'listUsers', {
    summary: 'The users of the school',
    query: { role: 'Roles, comma separated' },
    pages: 'changes',
    response: ANSWERS.Users,
  }),
  patch('/api/users/{id}', 'changeUser', {
    summary: "Change a user's role, email, username or shown name; what is absent stays, a null name is removed",
    body: BODIES.UserChange,
    example: { role: 'instructor', name: 'Ben Aziz' },
    response: ANSWERS.User,
    errorStatuses: [403, 404, 409, 422],
  }),
  remove('/api/users/{id}', 'deleteUser', {
    summary: 'Delete a user',
    response: ANSWERS.Nothing,
    errorStatuses: [403, 404, 409, 422],
  }),
  post('/api/register', 'register', {
    summary:
      "Register with an invitation's token, or add a user as administrator; an administrator only within 15 minutes of the password",
    isPublic: true,
    body: BODIES.Registration,
    example: { username: 'ida', password: 'gull-9-harbour', email: 'ida@example.com', invitationToken: 'aZ4' },
    created: true,
    response: ANSWERS.Account,
    errorStatuses: [403, 404, 409, 422, 503],
  }),
  get('/api/invitations/{key}', 'findInvitation', {
    summary: "What an invitation's token stands for",
    isPublic: true,
    response: ANSWERS.PublicInvitation,
    errorStatuses: [404],
  }),
  get('/api/invitations', 'listInvitations', {
    summary: 'Pending invitations',
    pages: 'plain',
    response: ANSWERS.Invitations,
    errorStatuses: [403],
  }),
  post('/api/invitations', 'sendInvitation', {
    summary: 'Invite somebody by mail; an administrator only within 15 minutes of the password',
    body: BODIES.NewInvitation,
    example: { name: 'Ida Berg', email: 'ida@example.com', role: 'student' },
    created: true,
    response: ANSWERS.Invitation,
    errorStatuses: [403, 409, 422, 429],
    jsonErrors: true,
  }),
  patch('/api/invitations/{key}', 'changeInvitation', {
    summary:
      "Change an invitation, and mail a new link; what is absent stays; another address, or an administrator's, only within 15 minutes of the password",
    body: BODIES.InvitationChange,
    example: { name: 'Ida Berg' },
    response: ANSWERS.Invitation,
    errorStatuses: [403, 404, 409, 422, 429],
  }),
  remove('/api/invitations/{key}', 'deleteInvitation', {
    summary: 'Delete an invitation',
    response: ANSWERS.Nothing,
    errorStatuses: [403, 404, 409, 422],
  }),
];

export const webhooksCalls: Call[] = [
  get('/api/webhooks', 'listWebhooks', {
    summary: 'The webhooks of the school, without their secrets; see docs/webhooks.md',
    response: ANSWERS.Webhooks,
    errorStatuses: [403, 409],
  }),
  post('/api/webhooks', 'addWebhook', {
    summary: 'Add a webhook, within 15 minutes of the password; an access token may not',
    body: BODIES.NewWebhook,
    example: { url: 'https://books.example/flightline', events: ['flight.completed', 'flight.corrected'] },
    created: true,
    response: ANSWERS.WebhookWithSecret,
    errorStatuses: [403, 409, 422],
  }),
  patch('/api/webhooks/{id}', 'changeWebhook', {
    summary: 'Pause or resume a webhook, change its events, or its address as when adding one; what is absent stays',
    body: BODIES.WebhookChange,
    example: { paused: true },
    response: ANSWERS.Webhook,
    errorStatuses: [403, 404, 409, 422],
  }),
  remove('/api/webhooks/{id}', 'removeWebhook', {
    summary: 'Remove a webhook',
    response: ANSWERS.Nothing,
    errorStatuses: [403, 404, 409, 422],
  }),
];

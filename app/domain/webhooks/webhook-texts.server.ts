import { MAX_WEBHOOKS } from '#app/limits.ts';

/** Texts that browsers do not load with every page. */
export const webhookTexts = {
  notFound: 'Webhook not found',
  deliveryNotFound: 'Delivery not found',
  urlRequired: 'Please enter the address',
  urlInvalid: 'This is not an address such as https://example.com/flightline',
  urlNotHttps: 'The address must begin with https://',
  urlWithPassword: 'The address may not contain a username or password',
  urlPrivate: 'This address is in a private network, where webhooks may not lead',
  urlOfOtherService: 'This port belongs to another service, such as mail. Please give another one.',
  eventsRequired: 'Please choose at least one event',
  changeRequired: 'Please give url, events or paused',
  paused: 'This webhook is paused. Please resume it first.',
  tooMany: `A school can have at most ${MAX_WEBHOOKS} webhooks. Please remove one first.`,
} as const;

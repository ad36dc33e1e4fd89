import { z } from 'zod';
import { env } from '#app/env.server.ts';
import { MAX_WEBHOOK_URL_CHARACTERS, MAX_WEBHOOKS } from '#app/limits.ts';
import { idSchema, timestampSchema } from '../field-schemas.server.ts';
import { tooLongText } from '../texts.ts';
import { isKnownPrivate } from './delivery/target-addresses.server.ts';
import { eventCheckboxName, WEBHOOK_EVENTS } from './webhook-events.ts';

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

export const webhookSchema = z.strictObject({
  id: idSchema,
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(['active', 'paused', 'failing']),
  createdAt: timestampSchema,
});

export const newWebhookSchema = webhookSchema.extend({
  secret: z.string().describe('Signs what is sent; not shown again'),
});

const urlInputSchema = z
  .string(webhookTexts.urlRequired)
  .trim()
  .min(1, webhookTexts.urlRequired)
  .max(MAX_WEBHOOK_URL_CHARACTERS, tooLongText(MAX_WEBHOOK_URL_CHARACTERS))
  .superRefine((text, context) => {
    const message = wrongWith(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform((text) => new URL(text).href);

/** Matches 'a..b' or '.a', which URL takes for a name; one dot at the end is the root's. */
const HAS_EMPTY_LABEL = /^\.|\.\./;

/** Returns what is known to be wrong before the name is looked up; the rest is checked at each connection. */
function wrongWith(text: string): string | undefined {
  if (!URL.canParse(text)) return webhookTexts.urlInvalid;
  const url = new URL(text);
  const allowsPrivate = env.WEBHOOK_PRIVATE_TARGETS === '1';
  if (!/^https?:$/.test(url.protocol) || url.hash !== '') return webhookTexts.urlInvalid;
  if (!/^https?:\/\/[^/\\]/i.test(text) || HAS_EMPTY_LABEL.test(url.hostname)) return webhookTexts.urlInvalid;
  if (url.protocol === 'http:' && !allowsPrivate) return webhookTexts.urlNotHttps;
  if (url.username !== '' || url.password !== '') return webhookTexts.urlWithPassword;
  if (isKnownPrivate(url) && !allowsPrivate) return webhookTexts.urlPrivate;
  if (isPortOfOtherService(url)) return webhookTexts.urlOfOtherService;
  return undefined;
}

const eventsInputSchema = z
  .array(z.enum(WEBHOOK_EVENTS, webhookTexts.eventsRequired), webhookTexts.eventsRequired)
  .min(1, webhookTexts.eventsRequired)
  .transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event)));

export const addWebhookSchema = z.object({ url: urlInputSchema, events: eventsInputSchema });

export const changeWebhookSchema = z
  .object({
    url: urlInputSchema.optional(),
    events: eventsInputSchema.optional(),
    paused: z.boolean('Paused must be yes or no').optional(),
  })
  .refine(({ url, events, paused }) => [url, events, paused].some((value) => value !== undefined), {
    error: webhookTexts.changeRequired,
  });

export type Webhook = z.infer<typeof webhookSchema>;
export type AddWebhookInput = z.output<typeof addWebhookSchema>;
export type ChangeWebhookInput = z.output<typeof changeWebhookSchema>;

/** Makes a tick for each event, since drafts keep one value a name. */
export const webhookFormSchema = z.preprocess((form) => {
  const { url, ...fields }: Record<string, unknown> = { ...Object(form) };
  return { url, events: WEBHOOK_EVENTS.filter((event) => fields[eventCheckboxName(event)] === 'on') };
}, addWebhookSchema);

/** Ports of services such as mail and file sharing: the fetch standard's bad ports, where browsers do not go either. */
const OTHER_SERVICES = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
  139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723
  2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/** Returns true for a port of a service that may take the request's text for commands of its own. */
export function isPortOfOtherService({ port }: URL): boolean {
  return OTHER_SERVICES.has(port);
}

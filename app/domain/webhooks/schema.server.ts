import { z } from 'zod';
import { env } from '#app/env.server.ts';
import { MAX_WEBHOOK_URL_CHARACTERS } from '#app/limits.ts';
import { idSchema, timestampSchema } from '../field-schemas.server.ts';
import { tooLongText } from '../texts.ts';
import { isKnownPrivate } from './delivery/target-addresses.server.ts';
import { isOtherService } from './delivery/target-ports.ts';
import { eventField, WEBHOOK_EVENTS } from './webhook-events.ts';
import { webhookTexts } from './webhook-texts.server.ts';

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
  if (isOtherService(url)) return webhookTexts.urlOfOtherService;
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
  return { url, events: WEBHOOK_EVENTS.filter((event) => fields[eventField(event)] === 'on') };
}, addWebhookSchema);

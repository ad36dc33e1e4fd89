import { type CheerioAPI, load } from 'cheerio/slim';
import { requireFieldName } from '#app/server/body/request-body.server.ts';
import { handleRequest } from './app-handler.ts';
import { getRequest } from './requests.ts';

/** A whole page, as a browser without script gets it; each field of its forms has a name that the server takes. */
export interface ServedDocument {
  status: number;
  headers: Headers;
  $: CheerioAPI;
}

/** The page at the path. */
export function documentAt(path: string, cookie = ''): Promise<ServedDocument> {
  return documentFor(getRequest(path, cookie));
}

/** The page that the posted form leads to when it is refused. */
export function documentAfter(path: string, fields: Record<string, string>, cookie = ''): Promise<ServedDocument> {
  const request = getRequest(path, cookie, { 'sec-fetch-site': 'same-origin' });
  return documentFor(new Request(request, { method: 'POST', body: new URLSearchParams(fields) }));
}

/** An element's text as it reads, with single spaces. */
export function textOf(element: { text(): string }): string {
  return element.text().replaceAll(/\s+/g, ' ').trim();
}

/** The value that stands beside a term. */
export function detailOf({ $ }: ServedDocument, term: string) {
  return $('dt')
    .filter((_, dt) => textOf($(dt)) === term)
    .next('dd');
}

/** Of the forms of the page's main part, by name. */
export function hiddenFieldsOf({ $ }: ServedDocument): Record<string, string> {
  const hidden = $('main form input[type=hidden]').toArray();
  return Object.fromEntries(hidden.map((input) => [String($(input).attr('name')), String($(input).attr('value'))]));
}

async function documentFor(request: Request): Promise<ServedDocument> {
  const response = await handleRequest(request);
  const $ = load(await response.text());
  for (const field of $('form[method=post] [name]').toArray()) requireFieldName($(field).attr('name'));
  return { status: response.status, headers: response.headers, $ };
}

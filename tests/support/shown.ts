import type { CheerioAPI } from 'cheerio/slim';
import { textOf } from './documents.ts';

type Part = string | ReturnType<CheerioAPI>;

const partOf = ($: CheerioAPI, part: Part) => (typeof part === 'string' ? $(part) : part);

/** What each of the elements says, in their order. */
export function textsOf($: CheerioAPI, elements: Part): string[] {
  return partOf($, elements)
    .toArray()
    .map((one) => textOf($(one)));
}

/** The links of a part of the page, as 'words → address'. */
export function linksIn($: CheerioAPI, part: Part): string[] {
  const links = partOf($, part).find('a[href]').toArray();
  return links.map((link) => `${textOf($(link))} → ${$(link).attr('href')}`);
}

/** What a browser would send of the form, by name. */
export function fieldsOf($: CheerioAPI, form: Part): Record<string, string> {
  return Object.fromEntries(
    partOf($, form)
      .serializeArray()
      .map(({ name, value }) => [name, value]),
  );
}

import type { CheerioAPI } from 'cheerio/slim';

/** What people, keys and posts depend on; classes, ids and places are not. */
const SHOWN = new RegExp(
  `^(?:${[
    ...['href', 'download', 'action', 'method', 'enctype', 'formaction', 'name', 'value', 'type', 'placeholder'],
    ...['autocomplete', 'inputmode', 'enterkeyhint', 'accept', 'capture', 'min', 'max', 'step', 'maxlength', 'pattern'],
    ...['required', 'disabled', 'checked', 'selected', 'multiple', 'open', 'hidden', 'tabindex', 'role', 'alt', 'lang'],
    ...['datetime', 'scope', 'colspan', 'data-tone', 'data-label', 'data-draft'],
    'aria-(?!describedby|labelledby|controls|owns)[a-z]+',
  ].join('|')})$`,
);
const LEFT_OUT = 'script, style, svg, noscript, link, template';

/** Choices from which on a list of them is not the screen's own. */
const MANY_CHOICES = 20;

/** Part of a page as text: a line for each element that says, links or asks something. */
export function outlineOf($: CheerioAPI, part: string): string {
  $(LEFT_OUT).remove();
  // Where a word may go on in the next line is of looks alone.
  $('wbr').remove();
  for (const select of $('select').toArray()) {
    const more = $(select).find('option:not([selected])').slice(MANY_CHOICES).remove().length;
    if (more > 0) $(select).append(`<option>… ${more} more</option>`);
  }
  const lines = $(part)
    .find('*')
    .toArray()
    .map((element) => {
      const found = $(element);
      const shown = Object.entries(element.attribs).filter(([name]) => SHOWN.test(name));
      const attributes = shown.map(([name, value]) => (value === '' ? name : `${name}=${JSON.stringify(value)}`));
      const text = ownText(
        found
          .contents()
          .toArray()
          .map((node) => (node.type === 'text' ? $(node).text() : ' … ')),
      );
      const words = wordsOf($, `${found.attr('aria-labelledby') ?? ''} ${found.attr('aria-describedby') ?? ''}`);
      const said = [...attributes, text && `| ${text}`, words && `(${words})`].filter(Boolean);
      return said.length === 0 ? undefined : [element.name, ...said].join(' ');
    });
  return lines.filter((line) => line !== undefined).join('\n');
}

/** Empty for an element that only holds others. */
function ownText(parts: string[]): string {
  const text = parts.join('').replaceAll(/\s+/g, ' ').trim();
  return /^[… ]*$/.test(text) ? '' : text;
}

/** What the elements with these ids say, since ids say nothing. */
function wordsOf($: CheerioAPI, ids: string): string {
  const texts = ids
    .split(' ')
    .filter(Boolean)
    .map((id) => $(`[id="${id}"]`).text() || `nothing has the id ${id}`);
  return texts.join('; ').replaceAll(/\s+/g, ' ').trim();
}

/** Without what each run draws anew, a link's token among it. */
export function withoutChance(outline: string, token: string): string {
  return outline
    .replaceAll(token, 'TOKEN')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/-[\da-f]{8}\b/g, '-TAG');
}

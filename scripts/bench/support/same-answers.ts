import { isDeepStrictEqual } from 'node:util';
import { load } from 'cheerio';
import { PEER_CASES, PRODUCT } from './peer-cases.ts';
import type { Case, Contender } from './rounds.ts';

/** Throws if a peer answers with other rows or fields than the product. */
export async function assertSameAnswers(cases: Case[], contenders: Contender[]): Promise<void> {
  for (const { name, paths } of cases) {
    const answers = new Map<string, unknown>();
    for (const contender of contenders) {
      const path = paths[contender.name];
      if (path !== undefined) answers.set(contender.name, await contentOf(contender, path));
    }
    const expected = answers.get(PRODUCT);
    for (const [peer, content] of answers) {
      if (isDeepStrictEqual(content, expected)) continue;
      throw new Error(`${name}: ${peer} answers another than the product. ${firstDifference(content, expected)}`);
    }
  }
  console.log(`${PEER_CASES.length} addresses: the peers answer with the product's rows and fields.`);
}

async function contentOf({ name, base, cookie }: Contender, path: string): Promise<unknown> {
  const answer = await fetch(base + path, { headers: { cookie }, redirect: 'error' });
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('json')) return answer.json();
  const text = await answer.text();
  const content = type.includes('html') ? tableTexts(text) : text;
  if (content.length === 0) throw new Error(`${name} shows no rows at ${path}: ${answer.status}`);
  return content;
}

/** Returns what a reader sees in each row of the table and each choice of the filter. */
function tableTexts(html: string): string[] {
  const $ = load(html);
  return $('tbody tr, option, .recent-days a, .sums dd')
    .toArray()
    .map((element) => $(element).text().replace(/\s+/g, ' ').trim());
}

function firstDifference(one: unknown, other: unknown): string {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  const at = [...left].findIndex((character, index) => character !== right[index]);
  return [left, right].map((text) => text.slice(Math.max(0, at - 40), at + 80)).join(' is not ');
}

import { createDownload } from '../csv.server.ts';
import { jsonResponse, streamResponse } from './api-responses.server.ts';
import { logBrokenDownload } from './download-response.server.ts';

/** Responds with a JSON array, sent as it is read after the first batch, so that memory stays flat. */
export async function listResponse(
  request: Request,
  batches: AsyncGenerator<object[], void>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { value: first = [] } = await batches.next();
  const { value: second } = await batches.next();
  if (!second) return jsonResponse(first, 200, headers);
  if (request.method === 'HEAD') return streamResponse(null, headers);
  const content = jsonArray(first, second, batches);
  return streamResponse(await createDownload(content, request.signal, logBrokenDownload), headers);
}

async function* jsonArray(
  first: object[],
  second: object[],
  more: AsyncGenerator<object[], void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`[${itemsOf(first)}`);
  yield encoder.encode(separated(second));
  for await (const items of more) yield encoder.encode(separated(items));
  yield encoder.encode(']');
}

function separated(items: object[]): string {
  return items.length === 0 ? '' : `,${itemsOf(items)}`;
}

function itemsOf(items: object[]): string {
  return JSON.stringify(items).slice(1, -1);
}

import type { Break } from './breaks.ts';

type Field = [name: string, value: FormDataEntryValue];
type Bytes = Uint8Array<ArrayBuffer>;

/** The good request with one thing wrong. A break that this request has no place for leaves it as it was. */
export async function broken(good: Request, way: Break): Promise<Request> {
  const headers = new Headers(good.headers);
  const url = brokenUrl(new URL(good.url), way);
  const { method } = good;
  if (good.body === null) return new Request(url, { method, headers: brokenHeaders(headers, way) });
  const { bytes, type } = await brokenBody(good, way);
  headers.set('content-type', type);
  return new Request(url, { method, headers: brokenHeaders(headers, way), body: brokenBytes(bytes, way) });
}

function brokenUrl(url: URL, way: Break): URL {
  if (way.what === 'query') url.searchParams.append(way.name, way.value);
  if (way.what === 'path') {
    const segments = url.pathname.split('/');
    // The router never sees line ends in a path: `cleanRequest` makes them letters.
    const segment = way.segment.replace(/[\n\r\u2028\u2029]/g, '%0A').toWellFormed();
    segments[1 + (way.at % (segments.length - 1))] = encodeURIComponent(segment);
    url.pathname = segments.join('/');
  }
  return url;
}

function brokenHeaders(headers: Headers, way: Break): Headers {
  if (way.what === 'type') headers.set('content-type', way.type);
  if (way.what === 'header') {
    // A session stays what it is behind a cookie that is none.
    const value = way.name === 'cookie' ? `${way.value}; ${headers.get('cookie')}` : way.value;
    headers.set(way.name, value);
  }
  return headers;
}

async function brokenBody(good: Request, way: Break): Promise<{ bytes: Bytes; type: string }> {
  const type = good.headers.get('content-type') ?? '';
  if (type === 'application/json') return { bytes: encoded(JSON.stringify(brokenJson(await good.json(), way))), type };
  const fields = brokenFields([...(await good.formData())], way);
  const plain = fields.every((field): field is [string, string] => typeof field[1] === 'string');
  const form = new Response(plain && !type.startsWith('multipart') ? new URLSearchParams(fields) : multipart(fields));
  return { bytes: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') ?? '' };
}

function brokenJson(body: unknown, way: Break): unknown {
  const places = placesIn(body);
  const place = (at: number) => places[at % places.length] ?? [];
  switch (way.what) {
    case 'value':
      return withValue(body, place(way.at), way.value);
    case 'missing':
      return withValue(body, place(way.at), undefined);
    case 'swapped':
      return withValue(
        withValue(body, place(way.at), valueAt(body, place(way.with))),
        place(way.with),
        valueAt(body, place(way.at)),
      );
    case 'field':
      return { ...Object(body), ...JSON.parse(`{${JSON.stringify(way.name)}:${JSON.stringify(way.value)}}`) };
    case 'many fields':
      return {
        ...Object(body),
        ...Object.fromEntries(Array.from({ length: way.count }, (_, at) => [way.name + at, at])),
      };
    default:
      return body;
  }
}

type Place = (string | number)[];

/** Where there is a value in this one, at any depth. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map((place) => [key, ...place])]);
}

function valueAt(value: unknown, [key, ...rest]: Place): unknown {
  return key === undefined ? value : valueAt(Object(value)[key], rest);
}

function withValue(value: unknown, [key, ...rest]: Place, given: unknown): unknown {
  if (key === undefined) return given;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[key] = withValue(copy[key], rest, given);
  return copy;
}

function brokenFields(fields: Field[], way: Break): Field[] {
  const texts = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const change = (at: number, to: (field: Field) => Field[]) =>
    fields.flatMap((field, index) => (index === at % fields.length ? to(field) : [field]));
  switch (way.what) {
    case 'value':
      return change(way.at, ([name]) => [way.value].flat(1).map((value) => [name, texts(value)]));
    case 'missing':
      return change(way.at, () => []);
    case 'swapped':
      return change(way.at, ([name]) => [[name, fields[way.with % fields.length]?.[1] ?? '']]);
    case 'field':
      return [...fields, [way.name, texts(way.value)]];
    case 'many fields':
      return [...fields, ...Array.from({ length: way.count }, (_, at): Field => [way.name, String(at)])];
    case 'file':
      return change(way.at, ([name]) => [[name, new File([way.bytes], way.name)]]);
    default:
      return fields;
  }
}

function multipart(fields: Field[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

function brokenBytes(bytes: Bytes, way: Break): Bytes {
  if (way.what === 'body') return way.bytes;
  if (way.what === 'cut') return bytes.slice(0, way.at % bytes.length);
  if (way.what !== 'infinity') return bytes;
  const text = new TextDecoder().decode(bytes);
  const values = [...text.matchAll(/(?<=:)("[^"]*"|[\d.]+)/g)];
  const value = values[way.at % values.length];
  return value ? encoded(text.slice(0, value.index) + '1e999' + text.slice(value.index + value[0].length)) : bytes;
}

function encoded(text: string | undefined): Bytes {
  return new TextEncoder().encode(text ?? '');
}

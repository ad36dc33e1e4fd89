import type { RequestMutation } from './request-mutations.ts';

type Field = [name: string, value: FormDataEntryValue];
type Bytes = Uint8Array<ArrayBuffer>;

/** The valid request with one thing wrong. A mutation that has no place in it leaves it as it was. */
export async function mutateRequest(valid: Request, mutation: RequestMutation): Promise<Request> {
  const headers = new Headers(valid.headers);
  const url = mutateUrl(new URL(valid.url), mutation);
  const { method } = valid;
  if (valid.body === null) return new Request(url, { method, headers: mutateHeaders(headers, mutation) });
  const { bytes, type } = await mutateBody(valid, mutation);
  headers.set('content-type', type);
  return new Request(url, { method, headers: mutateHeaders(headers, mutation), body: mutateBytes(bytes, mutation) });
}

function mutateUrl(url: URL, mutation: RequestMutation): URL {
  if (mutation.what === 'query') url.searchParams.append(mutation.name, mutation.value);
  if (mutation.what === 'path') {
    const segments = url.pathname.split('/');
    // The router never sees line ends in a path: `cleanRequest` makes them letters.
    const segment = mutation.segment.replace(/[\n\r\u2028\u2029]/g, '%0A').toWellFormed();
    segments[1 + (mutation.at % (segments.length - 1))] = encodeURIComponent(segment);
    url.pathname = segments.join('/');
  }
  return url;
}

function mutateHeaders(headers: Headers, mutation: RequestMutation): Headers {
  if (mutation.what === 'type') headers.set('content-type', mutation.type);
  if (mutation.what === 'header') {
    // The session cookie stays valid behind a malformed one.
    const value = mutation.name === 'cookie' ? `${mutation.value}; ${headers.get('cookie')}` : mutation.value;
    headers.set(mutation.name, value);
  }
  return headers;
}

async function mutateBody(valid: Request, mutation: RequestMutation): Promise<{ bytes: Bytes; type: string }> {
  const type = valid.headers.get('content-type') ?? '';
  if (type === 'application/json')
    return { bytes: encode(JSON.stringify(mutateJson(await valid.json(), mutation))), type };
  const fields = mutateFields([...(await valid.formData())], mutation);
  const plain = fields.every((field): field is [string, string] => typeof field[1] === 'string');
  const form = new Response(plain && !type.startsWith('multipart') ? new URLSearchParams(fields) : multipart(fields));
  return { bytes: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') ?? '' };
}

function mutateJson(body: unknown, mutation: RequestMutation): unknown {
  const paths = pathsIn(body);
  const path = (at: number) => paths[at % paths.length] ?? [];
  switch (mutation.what) {
    case 'value':
      return withValue(body, path(mutation.at), mutation.value);
    case 'missing':
      return withValue(body, path(mutation.at), undefined);
    case 'swapped':
      return withValue(
        withValue(body, path(mutation.at), valueAt(body, path(mutation.with))),
        path(mutation.with),
        valueAt(body, path(mutation.at)),
      );
    case 'field':
      return { ...Object(body), ...JSON.parse(`{${JSON.stringify(mutation.name)}:${JSON.stringify(mutation.value)}}`) };
    case 'many fields':
      return {
        ...Object(body),
        ...Object.fromEntries(Array.from({ length: mutation.count }, (_, at) => [mutation.name + at, at])),
      };
    default:
      return body;
  }
}

type JsonPath = (string | number)[];

/** The path of every value inside this one, at any depth. */
function pathsIn(value: unknown): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);
}

function valueAt(value: unknown, [key, ...rest]: JsonPath): unknown {
  return key === undefined ? value : valueAt(Object(value)[key], rest);
}

function withValue(value: unknown, [key, ...rest]: JsonPath, given: unknown): unknown {
  if (key === undefined) return given;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[key] = withValue(copy[key], rest, given);
  return copy;
}

function mutateFields(fields: Field[], mutation: RequestMutation): Field[] {
  const texts = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const change = (at: number, to: (field: Field) => Field[]) =>
    fields.flatMap((field, index) => (index === at % fields.length ? to(field) : [field]));
  switch (mutation.what) {
    case 'value':
      return change(mutation.at, ([name]) => [mutation.value].flat(1).map((value) => [name, texts(value)]));
    case 'missing':
      return change(mutation.at, () => []);
    case 'swapped':
      return change(mutation.at, ([name]) => [[name, fields[mutation.with % fields.length]?.[1] ?? '']]);
    case 'field':
      return [...fields, [mutation.name, texts(mutation.value)]];
    case 'many fields':
      return [...fields, ...Array.from({ length: mutation.count }, (_, at): Field => [mutation.name, String(at)])];
    case 'file':
      return change(mutation.at, ([name]) => [[name, new File([mutation.bytes], mutation.name)]]);
    default:
      return fields;
  }
}

function multipart(fields: Field[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

function mutateBytes(bytes: Bytes, mutation: RequestMutation): Bytes {
  if (mutation.what === 'body') return mutation.bytes;
  if (mutation.what === 'cut') return bytes.slice(0, mutation.at % bytes.length);
  if (mutation.what !== 'infinity') return bytes;
  const text = new TextDecoder().decode(bytes);
  const values = [...text.matchAll(/(?<=:)("[^"]*"|[\d.]+)/g)];
  const value = values[mutation.at % values.length];
  return value ? encode(text.slice(0, value.index) + '1e999' + text.slice(value.index + value[0].length)) : bytes;
}

function encode(text: string | undefined): Bytes {
  return new TextEncoder().encode(text ?? '');
}

import { z } from 'zod';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS, MAX_API_LIST_ITEMS } from '#app/limits.ts';
import { XLSX_MEDIA_TYPE, ZIP_MEDIA_TYPE } from '../api/download-response.server.ts';
import { sessionCookie } from '../session/cookies.server.ts';
import type { Call } from './call.ts';
import type { JsonSchema } from './example.server.ts';
import { API_CALLS } from './calls.server.ts';
import { ANSWERS, BODIES } from './schemas.server.ts';

export const STATUS_DESCRIPTIONS = {
  400: 'Something in the request is wrong, in words',
  401: 'Nobody is signed in, and no access token is good',
  403: 'Not for this role or access token, or from another site',
  404: 'Not there, or of another school',
  409: 'The state does not allow it, in words',
  413: 'Too large',
  415: 'Another media type than the one described',
  422: 'The Idempotency-Key was used with other contents',
  429: 'Too many attempts; Retry-After says when to try again',
  500: 'A defect; nothing was done',
  502: 'The reader failed',
  503: 'Too busy, or without database; Retry-After says when to try again',
} as const;

type Status = keyof typeof STATUS_DESCRIPTIONS;

const ERROR_CONTENT = {
  text: { 'text/plain': { schema: { type: 'string' } } },
  json: {
    'application/json': {
      schema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS },
};

export function openApiDocument(productName: string) {
  const paths: Record<string, Partial<Record<Call['method'], ReturnType<typeof operation>>>> = {};
  for (const call of API_CALLS) (paths[call.path] ??= {})[call.method] = operation(call);
  return {
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1',
      description:
        'JSON in and out, with a session cookie or an access token. A failure answers with its words as plain text ' +
        'unless stated otherwise. Writes take an Idempotency-Key: the same key and body again get the same answer.',
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie.name },
        accessToken: { type: 'http', scheme: 'bearer', description: 'Made at /account/token' },
      },
      parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY },
      headers: HEADERS,
      schemas: contractSchemas(),
      responses: sharedResponses(),
    },
    security: [{ session: [] }, { accessToken: [] }],
    paths,
  };
}

export function contractSchemas(): Record<string, JsonSchema> {
  return { ...namedSchemas(ANSWERS, 'output'), ...namedSchemas(BODIES, 'input') };
}

export const TAGS = [
  ['Account', 'Signing in, the school, and what was done in it'],
  ['Access tokens', 'What scripts sign in with'],
  ['Flights', 'Check-out, check-in and the logs'],
  ['Fleet', 'Aircraft and their squawks'],
  ['People', 'Users and invitations'],
  ['Meters', 'Readings from photos'],
  ['Imports', 'Files of fleet, people, flights, squawks and inspections'],
  ['Export', 'Everything of the school in one file'],
  ['Webhooks', 'What is sent to programs of the school as it happens'],
] as const;

type Tag = (typeof TAGS)[number][0];

const TAG_OF_SEGMENT: Record<string, Tag> = {
  'flight-logs': 'Flights',
  aircraft: 'Fleet',
  squawks: 'Fleet',
  users: 'People',
  register: 'People',
  invitations: 'People',
  'analyze-image': 'Meters',
  'ocr-results': 'Meters',
  tokens: 'Access tokens',
  imports: 'Imports',
  export: 'Export',
  webhooks: 'Webhooks',
};

export function tagOf({ path }: Call): Tag {
  return TAG_OF_SEGMENT[path.split('/')[2] ?? ''] ?? 'Account';
}

function operation(call: Call) {
  const writes = call.method !== 'get';
  return {
    operationId: call.id,
    tags: [tagOf(call)],
    summary: call.summary,
    description: call.isPublic
      ? 'Takes nobody who is signed in.'
      : `An access token needs the scope '${scopeOf(call)}'.`,
    ...(call.isPublic && { security: [] }),
    parameters: [
      ...pathParameters(call),
      ...queryParameters(call),
      ...(writes ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [call.multipart ? 'multipart/form-data' : 'application/json']: {
            schema: refTo(call.body, BODIES),
            ...(call.example && { example: call.example }),
          },
        },
      },
    }),
    responses: { ...successResponses(call), ...errorResponses(call) },
  };
}

export function scopeOf({ method, scope }: Call): string {
  return scope ?? (method === 'get' ? 'read' : 'manage');
}

function pathParameters({ path }: Call): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'key' && { description: 'The token of an invitation where it is read, else its id' }),
    schema: { type: name === 'id' ? 'integer' : 'string' },
  }));
}

export function queryDescriptionsOf({ query = {}, pages }: Call): Record<string, string> {
  return { ...query, ...(pages && PAGES), ...(pages === 'changes' && { since: SINCE }) };
}

function queryParameters(call: Call): object[] {
  return Object.entries(queryDescriptionsOf(call)).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: querySchema(name),
  }));
}

const PAGES = {
  limit: 'Only so many; the Link header names the next page',
  after: 'What the Link header holds',
};

const SINCE = 'What has changed since this instant, or this day; what was cancelled or deleted since then is marked';

function querySchema(name: string): object {
  if (name === 'limit') return { type: 'integer', minimum: 1, maximum: MAX_API_LIST_ITEMS };
  return { type: name.endsWith('Id') ? 'integer' : 'string' };
}

function successResponses({ method, created, response, pages, file }: Call): object {
  if (!response) return { 200: { description: 'OK', content: fileContent(file) } };
  const content = { 'application/json': { schema: refTo(response, ANSWERS) } };
  if (created) return { 201: { description: 'Created', content } };
  if (method !== 'get') return { 200: { description: 'OK', content } };
  const headers = { ETag: refToHeader('ETag'), ...(pages && { Link: refToHeader('Link') }) };
  return {
    200: { description: 'OK', headers, content },
    304: { description: 'As If-None-Match has it', headers },
  };
}

function fileContent(file: Call['file']): object {
  if (!file) return { 'text/csv': { schema: { type: 'string' } } };
  return { [file === 'xlsx' ? XLSX_MEDIA_TYPE : ZIP_MEDIA_TYPE]: { schema: { type: 'string', format: 'binary' } } };
}

function refToHeader(name: keyof typeof HEADERS): object {
  return { $ref: `#/components/headers/${name}` };
}

const HEADERS = {
  ETag: { description: 'Of this answer; for If-None-Match', schema: { type: 'string' } },
  Link: {
    description: 'rel="next": the next page; rel="monitor": what to ask later for what has changed since',
    schema: { type: 'string' },
  },
};

function errorResponses(call: Call): object {
  const kind = errorKindOf(call);
  return Object.fromEntries(
    errorStatusesOf(call).map((status) => [status, { $ref: `#/components/responses/${kind}-${status}` }]),
  );
}

function errorKindOf({ jsonErrors }: Call): keyof typeof ERROR_CONTENT {
  return jsonErrors ? 'json' : 'text';
}

function sharedResponses(): Record<string, object> {
  const used = API_CALLS.flatMap((call) => errorStatusesOf(call).map((status) => [errorKindOf(call), status] as const));
  return Object.fromEntries(
    used.map(([kind, status]) => [
      `${kind}-${status}`,
      { description: STATUS_DESCRIPTIONS[status], content: ERROR_CONTENT[kind] },
    ]),
  );
}

/** Returns every status with which the call may fail. */
export function errorStatusesOf({ method, body, errorStatuses = [], isPublic }: Call): Status[] {
  const statuses = new Set<Status>([400, 500, 503, ...errorStatuses]);
  if (!isPublic) statuses.add(401).add(403).add(429);
  else if (errorStatuses.length > 0) statuses.add(401);
  if (method !== 'get') statuses.add(403);
  if (body) statuses.add(413).add(415);
  return [...statuses].toSorted((one, other) => one - other);
}

type Named = Readonly<Record<string, z.ZodType>>;

export function schemaName(schema: z.ZodType, named: Named): string {
  const name = Object.keys(named).find((key) => named[key] === schema);
  if (name === undefined) throw new Error('a schema of the contract has no name');
  return name;
}

function refTo(schema: z.ZodType, named: Named): { $ref: string } {
  return { $ref: `#/components/schemas/${schemaName(schema, named)}` };
}

// A check in code, such as that of base64, appears as any value.
function namedSchemas(named: Named, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _uri, ...plain }]) => [id, plain]),
  );
}

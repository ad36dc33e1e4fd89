import { z } from 'zod';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '#app/limits.ts';
import { type ApiCall, API_CALLS } from './calls.server.ts';

const REASONS = {
  400: 'Something in the request is wrong, in words',
  401: 'Unauthorized',
  403: 'Not for this role, or from another site',
  404: 'Not there, or of another school',
  409: 'The state does not allow it, in words',
  413: 'Too large',
  415: 'Another media type than JSON',
  422: 'The Idempotency-Key was used with other contents',
  429: 'Too many attempts',
  502: 'The reader failed',
  503: 'Too busy; try again in a moment',
} as const;

type Status = keyof typeof REASONS;

const ERROR_CONTENT = {
  text: { 'text/plain': { schema: { type: 'string' } } },
  json: {
    'application/json': {
      schema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
};

/** By kind and status, as 'text-404'. */
const RESPONSES = Object.fromEntries(
  Object.entries(ERROR_CONTENT).flatMap(([kind, content]) =>
    Object.entries(REASONS).map(([status, description]) => [`${kind}-${status}`, { description, content }]),
  ),
);

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS },
};

/** OpenAPI 3.1, generated from the schemas. */
export function openApiDocument(productName: string) {
  const paths: Record<string, Partial<Record<ApiCall['method'], ReturnType<typeof operation>>>> = {};
  for (const call of API_CALLS) (paths[call.path] ??= {})[call.method] = operation(call);
  return {
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1',
      description:
        'Same origin, session cookie, JSON in and out. A failure answers with its words as plain text unless stated ' +
        'otherwise. Writes take an Idempotency-Key: the same key and body again get the same answer.',
    },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'flightline' } },
      parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY },
      responses: RESPONSES,
    },
    security: [{ session: [] }],
    paths,
  };
}

function operation(call: ApiCall) {
  const writes = call.method !== 'get';
  return {
    summary: call.summary,
    ...(call.isPublic && { security: [] }),
    parameters: [
      ...pathParameters(call),
      ...queryParameters(call),
      ...(writes ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ],
    ...(call.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } },
    }),
    responses: { ...successResponses(call), ...errorResponses(call) },
  };
}

function pathParameters({ path }: ApiCall): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'id' ? 'integer' : 'string' },
  }));
}

function queryParameters({ query = {} }: ApiCall): object[] {
  return Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: name.endsWith('Id') ? 'integer' : 'string' },
  }));
}

function successResponses({ created, response: answer }: ApiCall): object {
  const content = answer
    ? { 'application/json': { schema: schemaOf(answer, 'output') } }
    : { 'text/csv': { schema: { type: 'string' } } };
  return created ? { 201: { description: 'Created', content } } : { 200: { description: 'OK', content } };
}

function errorResponses({
  method,
  body,
  errorStatuses: refusals = [],
  jsonErrors: jsonFailures,
  isPublic: open,
}: ApiCall): object {
  const statuses = new Set<Status>([400, ...(open && refusals.length === 0 ? [] : [401 as const]), ...refusals]);
  if (method !== 'get') statuses.add(403);
  if (body) statuses.add(413).add(415);
  const kind = jsonFailures ? 'json' : 'text';
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/${kind}-${status}` }]),
  );
}

// Checks in code, such as of base64, appear as any value.
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return plain;
}

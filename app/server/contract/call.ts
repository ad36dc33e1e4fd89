import type { z } from 'zod';

/** One of the API, as the contract describes it. */
export interface Call {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** What generated clients call it. */
  id: string;
  summary: string;
  isPublic?: true;
  /** The scope that an access token takes, where it is not 'read' for GET and 'manage' for the rest. */
  scope?: 'fly' | 'manage';
  query?: Record<string, string>;
  body?: z.ZodType;
  created?: true;
  /** CSV if missing, or a zip. */
  response?: z.ZodType;
  zip?: true;
  /** Besides those of every call, see openapi.server.ts. */
  errorStatuses?: (404 | 409 | 422 | 429 | 502 | 503 | 403)[];
  jsonErrors?: true;
}

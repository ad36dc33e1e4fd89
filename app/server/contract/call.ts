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
  /** Comes in pages; with 'changes' it also takes `since`. */
  pages?: 'plain' | 'changes';
  body?: z.ZodType;
  /** A body as clients send it. */
  example?: object;
  /** The body is a form with files, not JSON. */
  multipart?: true;
  created?: true;
  /** A file if missing: CSV, or what `file` says. */
  response?: z.ZodType;
  file?: 'xlsx' | 'zip';
  /** Besides those of every call, see openapi.server.ts. */
  errorStatuses?: (404 | 409 | 422 | 429 | 502 | 503 | 403)[];
  jsonErrors?: true;
}

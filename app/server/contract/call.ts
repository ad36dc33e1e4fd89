import type { z } from 'zod';

export interface Call {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  id: string;
  summary: string;
  isPublic?: true;
  /** Scope of the access token, if it is not 'read' for GET and 'manage' for the rest. */
  scope?: 'fly' | 'manage';
  query?: Record<string, string>;
  /** Set if the list comes in pages; with 'changes' it also takes `since`. */
  pages?: 'plain' | 'changes';
  body?: z.ZodType;
  example?: object;
  multipart?: true;
  created?: true;
  /** Schema of the response; left out for a file, which is CSV or what `file` says. */
  response?: z.ZodType;
  file?: 'xlsx' | 'zip';
  /** Statuses besides those of every call, which openapi.server.ts has. */
  errorStatuses?: (404 | 409 | 422 | 429 | 502 | 503 | 403)[];
  jsonErrors?: true;
}

const by = (method: Call['method']) => (path: string, id: string, rest: Omit<Call, 'method' | 'path' | 'id'>) => ({
  ...{ method, path, id, ...rest },
});

export const get = by('get');
export const post = by('post');
export const put = by('put');
export const patch = by('patch');
export const remove = by('delete');

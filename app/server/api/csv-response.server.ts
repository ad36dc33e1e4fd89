import { AppError } from '#app/domain/app-error.ts';
import { createDownload } from '../csv.server.ts';
import { log } from '../log.server.ts';
import { failureCauseOf } from '../observability/failure-cause.ts';
import { noteCause } from '../observability/request-context.server.ts';
import { fileResponse } from './api-responses.server.ts';

type Begin = () => Promise<AsyncGenerator<Uint8Array<ArrayBuffer>, void>>;

export function csvResponse(request: Request, name: string, begin: Begin): Promise<Response> {
  return downloadResponse(request, { name, contentType: 'text/csv; charset=utf-8' }, begin);
}

export function zipResponse(request: Request, name: string, begin: Begin): Promise<Response> {
  return downloadResponse(request, { name, contentType: 'application/zip' }, begin);
}

/** Streams a file; `begin` is not called for its headers alone. Throws 'unavailable', and as its chunks do. */
async function downloadResponse(
  request: Request,
  { name, contentType }: { name: string; contentType: string },
  begin: Begin,
): Promise<Response> {
  if (request.method === 'HEAD') return fileResponse(null, name, contentType);
  const chunks = await begin();
  const content = await createDownload(chunks, request.signal, logBrokenDownload).catch(toUnavailable);
  return fileResponse(content, name, contentType);
}

/** Of a file or a list. */
export function logBrokenDownload(error: unknown): void {
  const cause = failureCauseOf(error);
  noteCause(cause);
  log.error({ err: error, cause }, 'Export failed');
}

function toUnavailable(error: unknown): never {
  if (error instanceof AppError) throw error;
  logBrokenDownload(error);
  throw new AppError('unavailable', 'Export failed');
}

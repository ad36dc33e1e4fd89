import { AppError } from '#app/domain/app-error.ts';
import { createDownload } from '../csv.server.ts';
import { log } from '../log.server.ts';
import { failureCauseOf } from '../observability/failure-cause.ts';
import { noteCause } from '../observability/request-context.server.ts';
import { fileResponse } from './api-responses.server.ts';

const CSV = 'text/csv; charset=utf-8';
export const XLSX_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const ZIP_MEDIA_TYPE = 'application/zip';

type Begin = () => Promise<AsyncGenerator<Uint8Array<ArrayBuffer>, void>>;

export function csvResponse(request: Request, name: string, begin: Begin): Promise<Response> {
  return downloadResponse(request, { name, type: CSV }, begin);
}

export function zipResponse(request: Request, name: string, begin: Begin): Promise<Response> {
  return downloadResponse(request, { name, type: ZIP_MEDIA_TYPE }, begin);
}

/** Streams a file. A request for its headers does not call `begin`. Throws 'unavailable', and as its chunks do. */
export async function downloadResponse(
  request: Request,
  { name, type }: { name: string; type: string },
  begin: Begin,
): Promise<Response> {
  if (request.method === 'HEAD') return fileResponse(null, name, type);
  const chunks = await begin();
  return fileResponse(await createDownload(chunks, request.signal, logBrokenDownload).catch(toUnavailable), name, type);
}

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

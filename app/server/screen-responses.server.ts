import { STATUS_CODES } from 'node:http';
import { toErrorView } from './error-responses.server.ts';
import { recordRefusal, withRequestEvents } from './request-events.server.ts';
import { applySecurityHeaders } from './security-headers.server.ts';

/** Turns errors that no form can show into error responses. */
export function withErrorResponses<Result>(request: Request, work: () => Promise<Result>): Promise<Result> {
  return withRequestEvents(request, () => answerErrors(request, work));
}

async function answerErrors<Result>(request: Request, work: () => Promise<Result>): Promise<Result> {
  try {
    return withSecurityHeaders(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw withSecurityHeaders(error);
    recordRefusal(error, request);
    const { text, status, headers } = toErrorView(error);
    throw errorResponse(text, status, headers);
  }
}

/** Makes a Response rather than data(), which would reach the error boundary without its status text. */
export function errorResponse(text: string, status: number, headers: HeadersInit = {}): Response {
  return withSecurityHeaders(new Response(text, { status, statusText: STATUS_CODES[status], headers }));
}

export function pathAndQuery({ pathname, search }: URL): string {
  return pathname + search;
}

// Documents get these headers in entry.server; redirects are never rendered.
function withSecurityHeaders<Result>(result: Result): Result {
  if (result instanceof Response) applySecurityHeaders(result.headers);
  return result;
}

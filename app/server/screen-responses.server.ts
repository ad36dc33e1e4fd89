import { STATUS_CODES } from 'node:http';
import { toErrorView } from './error-responses.server.ts';
import { applySecurityHeaders } from './security-headers.server.ts';

/** Turns errors that no form can show into error responses. */
export async function withErrorResponses<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return withSecurityHeaders(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw withSecurityHeaders(error);
    const { status, text, headers } = toErrorView(error);
    throw errorResponse(text, status, headers);
  }
}

/** A Response rather than data(), which would reach the error boundary without its status text. */
export function errorResponse(text: string, status: number, headers: HeadersInit = {}): Response {
  return withSecurityHeaders(new Response(text, { status, statusText: STATUS_CODES[status], headers }));
}

export function pathAndQuery({ pathname, search }: URL): string {
  return pathname + search;
}

// Documents get them in entry.server; redirects are never rendered.
function withSecurityHeaders<Result>(result: Result): Result {
  if (result instanceof Response) applySecurityHeaders(result.headers);
  return result;
}

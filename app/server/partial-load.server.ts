import { toErrorView } from './error-responses.server.ts';
import { requestContext } from './observability/request-context.server.ts';

/** A part of a page that failed alone: its text, and the id of the request for the log. */
export interface PartFailure {
  value: null;
  failure: string;
  reference?: string | undefined;
}

export async function loadOrFailure<Result>(
  work: Promise<Result>,
  failed: string,
): Promise<{ value: Result; failure: null } | PartFailure> {
  try {
    return { value: await work, failure: null };
  } catch (error) {
    return { value: null, failure: toErrorView(error, failed).text, reference: requestContext()?.reqId };
  }
}

import { toErrorView } from './error-responses.server.ts';

/** A part of a page that may fail alone: its value or the text of its failure. */
export async function loadOrFailure<Result>(
  work: Promise<Result>,
  failed: string,
): Promise<{ value: Result; failure: null } | { value: null; failure: string }> {
  try {
    return { value: await work, failure: null };
  } catch (error) {
    return { value: null, failure: toErrorView(error, failed).text };
  }
}

import { toErrorView } from './error-responses.server.ts';

/**
 * A part of a page that may fail without the rest (spec §8): what `work` gives, or null and the words for its
 * failure. The error itself goes to the log.
 */
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

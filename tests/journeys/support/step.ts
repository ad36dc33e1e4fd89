/** A part of a journey; when it fails, the message begins with these words. */
export async function step<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) error.message = `In the step '${words}': ${error.message}`;
    throw error;
  }
}

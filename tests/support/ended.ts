import { expect } from 'vitest';

/** How a command ends, and words of what it prints. */
export const ended = (code: number, words: string | RegExp) => ({
  code,
  output: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
});

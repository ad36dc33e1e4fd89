import { expect, it } from 'vitest';
import { step } from '#tests/journeys/support/step.ts';

it('a step that fails says which one it is, and keeps the error', async () => {
  const error = new Error('expected 200, got 500');
  await expect(step('check out', () => Promise.reject(error))).rejects.toBe(error);
  expect(error.message).toBe("In the step 'check out': expected 200, got 500");
});

it('a step that passes returns what it has made', async () => {
  expect(await step('check out', async () => 7)).toBe(7);
});

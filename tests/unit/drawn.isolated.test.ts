import { afterEach, describe, expect, it, vi } from 'vitest';

const LETTERS = [...'abcdefghijkl'];

/** As a run with these settings takes them. */
async function drawnIn(environment: { SEED?: string; EVERY?: string }, count: number, name = 'letters') {
  vi.resetModules();
  for (const key of ['SEED', 'EVERY'] as const) vi.stubEnv(key, environment[key]);
  const { drawn } = await import('#tests/support/drawn.ts');
  return drawn(LETTERS, count, name).join('');
}

afterEach(() => void vi.unstubAllEnvs());

describe('what a test run takes of a list', () => {
  it('a run without SEED takes items at equal distances, the same each time', async () => {
    const taken = await drawnIn({}, 3);
    const [first = 0, ...others] = [...taken].map((letter) => LETTERS.indexOf(letter));
    expect(others).toEqual([first + 4, first + 8]);
    expect(await drawnIn({}, 3)).toBe(taken);
    for (let count = 0; count <= 12; count += 1) expect(await drawnIn({}, count)).toHaveLength(count);
  });

  it('lists under different names are not all met at the same places', async () => {
    const taken = await Promise.all(['one', 'two', 'three', 'four'].map((name) => drawnIn({}, 1, name)));
    expect(new Set(taken).size).toBeGreaterThan(1);
  });

  it('SEED draws others and repeats them, and EVERY=yes takes all', async () => {
    const seeds = ['1', '2', '3', '4', '5'];
    const taken = [];
    for (const SEED of seeds) taken.push(await drawnIn({ SEED }, 3));
    expect(new Set(taken).size).toBeGreaterThan(2);
    expect(await drawnIn({ SEED: '5' }, 3)).toBe(taken.at(-1));
    expect(await drawnIn({ SEED: '5', EVERY: 'yes' }, 3)).toBe(LETTERS.join(''));
  });
});

const MODULUS = 2_147_483_647;
const FACTOR = 48_271;

/** So many of these, the same ones for the same seed. */
export function takeSample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const left = [...items];
  const taken: Item[] = [];
  let state = Math.abs(seed % MODULUS) || 1;
  while (taken.length < count && left.length > 0) {
    state = (state * FACTOR) % MODULUS;
    taken.push(...left.splice(state % left.length, 1));
  }
  return taken;
}

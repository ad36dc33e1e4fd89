import { samplePlaces } from '../../scripts/chaos/cuts/place.ts';
import { randomFrom } from '../../scripts/chaos/random.ts';

/** Whether this run draws what it tries, by SEED; else every run tries the same. */
export const isDrawn = process.env.SEED !== undefined;
export const seed = Number(process.env.SEED ?? 1);

/** Some places of each operation or request, the middle one where nothing is drawn; all of them with EVERY=yes. */
export const chooseCuts =
  process.env.EVERY === 'yes' ? undefined : samplePlaces(isDrawn ? randomFrom(seed) : () => 0.5);

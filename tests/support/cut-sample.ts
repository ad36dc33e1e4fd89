import { samplePlaces } from '../../scripts/chaos/cuts/place.ts';
import { randomFrom } from '../../scripts/chaos/random.ts';

/** Another one for each commit, so that many runs cut everywhere; SEED repeats one. */
export const seed = Number(process.env.SEED);

/** Some places of each operation or request, or all of them with EVERY=yes. */
export const chooseCuts = process.env.EVERY === 'yes' ? undefined : samplePlaces(randomFrom(seed));

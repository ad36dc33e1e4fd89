import { JUMP_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export interface JumpTarget {
  href: string;
  kind: 'Aircraft' | 'Person' | 'Flight' | 'Screen' | 'Act';
  label: string;
}

/** Finds places for a query. Throws if the request fails, takes too long or is aborted. */
export async function fetchJumpTargets(query: string, signal: AbortSignal): Promise<JumpTarget[]> {
  const timeout = AbortSignal.timeout(JUMP_TIMEOUT_MS);
  const response = await fetch(paths.jumpTo(query), { signal: AbortSignal.any([signal, timeout]) });
  if (!response.ok) throw new Error(`answered ${response.status}`);
  const { places }: { places: JumpTarget[] } = await response.json();
  return places;
}

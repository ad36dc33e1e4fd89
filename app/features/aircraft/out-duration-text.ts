const MINUTE_MS = 60_000;

/** Returns 'out 1 h 12' or 'out 12 min'. */
export function outDurationText(since: Date, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - since.getTime()) / MINUTE_MS));
  if (minutes < 60) return `out ${minutes} min`;
  return `out ${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}

import { AppError } from '#app/domain/app-error.ts';
import { parseId } from '#app/server/ids.server.ts';

/** Undefined if absent or empty. Throws 'invalid' for anything but an id. */
export function parseAircraftFilter(url: URL): number | undefined {
  const text = url.searchParams.get('aircraftId') ?? '';
  if (text === '') return undefined;
  const id = parseId(text);
  if (id === undefined) throw new AppError('invalid', 'Invalid aircraft');
  return id;
}

import { Refusal } from '#app/domain/app-error.ts';
import { idFrom } from '#app/server/ids.server.ts';

/** The aircraft that `?aircraftId=` narrows a list to; none when absent or empty. Throws 'invalid' for what is no id. */
export function aircraftFilterOf(url: URL): number | undefined {
  const text = url.searchParams.get('aircraftId') ?? '';
  if (text === '') return undefined;
  const id = idFrom(text);
  if (id === undefined) throw new Refusal('invalid', 'Invalid aircraft');
  return id;
}

import { Refusal } from '../domain/refusal.ts';
import { idFrom } from './ids.server.ts';

/** The aircraft that `?aircraftId=` narrows a list to; none when absent or empty. Throws 'invalid' for what is no id. */
export function aircraftFilterOf(url: URL): number | undefined {
  const text = url.searchParams.get('aircraftId') ?? '';
  if (text === '') return undefined;
  const id = idFrom(text);
  if (id === undefined) throw new Refusal('invalid', 'Invalid aircraft');
  return id;
}

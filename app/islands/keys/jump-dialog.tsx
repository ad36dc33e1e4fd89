import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { JUMP_DELAY_MS, MAX_JUMP_QUERY_CHARACTERS } from '#app/limits.ts';
import { fetchJumpTargets, type JumpTarget } from './fetch-jump-targets.ts';
import { KeyDialog } from './keys-dialog.tsx';

/** Finds places while a query is typed; Enter goes to the first one. */
export function JumpDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { places, isFailed } = usePlaces(query.trim());
  const wantsFirst = useRef(false);

  useEffect(() => {
    const [first] = places ?? [];
    if (!wantsFirst.current || !first) return;
    navigate(first.href);
    onClose();
  }, [places, navigate, onClose]);

  const type = (typed: string) => {
    // An Enter was meant for what stood there before.
    wantsFirst.current = false;
    setQuery(typed);
  };

  const goToFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = places ?? [];
    wantsFirst.current = !first;
    if (!first) return;
    navigate(first.href);
    onClose();
  };

  return (
    <KeyDialog title="Jump to" onClose={onClose}>
      <form onSubmit={goToFirst} className="field">
        <label htmlFor={id}>Aircraft, person, flight or screen</label>
        <input
          id={id}
          className="input"
          type="search"
          autoComplete="off"
          maxLength={MAX_JUMP_QUERY_CHARACTERS}
          value={query}
          onChange={({ target }) => type(target.value)}
        />
      </form>
      <ul className="place-list">
        {places?.map(({ href, kind, label }) => (
          <li key={`${kind} ${href}`}>
            <Link to={href} onClick={onClose}>
              {label}
            </Link>{' '}
            <span className="hint">{kind}</span>
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {statusText(query.trim(), places, isFailed)}
      </p>
    </KeyDialog>
  );
}

function statusText(query: string, places: JumpTarget[] | null, isFailed: boolean): string {
  if (isFailed) return 'Could not search. Please try again.';
  if (query === '') return 'A tail number, a username, the number of a flight, or what you want to do.';
  if (places === null) return 'Searching...';
  if (places.length === 0) return 'Nothing found.';
  return places.length === 1 ? '1 place' : `${places.length} places`;
}

function usePlaces(query: string) {
  const [found, setFound] = useState<{ query: string; places: JumpTarget[] | null }>({ query: '', places: [] });
  useEffect(() => {
    const stopped = new AbortController();
    const search = async () => {
      try {
        const places = query === '' ? [] : await fetchJumpTargets(query, stopped.signal);
        setFound({ query, places });
      } catch {
        if (!stopped.signal.aborted) setFound({ query, places: null });
      }
    };
    const timer = setTimeout(() => void search(), JUMP_DELAY_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [query]);
  const isFound = found.query === query;
  return { places: isFound ? found.places : null, isFailed: isFound && found.places === null };
}

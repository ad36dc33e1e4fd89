import { Form, useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { findJumpTargets } from '#app/domain/jump/find-jump-targets.server.ts';
import { MAX_JUMP_QUERY_CHARACTERS } from '#app/limits.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { Button, EmptyState } from '#app/ui/elements.tsx';
import { FilterText } from '#app/ui/forms/filter-form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';

export const meta = createTitleMeta('Search');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const q = url.searchParams.get('q') ?? '';
    return { q, places: await findJumpTargets(db, actor, q) };
  },
});

export default function Search() {
  const { q, places } = useLoaderData<typeof loader>();
  return (
    <Screen title="Search" showBackLink toast={useToast(undefined)} width="form">
      <Form method="get" role="search" className="filter-form">
        <FilterText
          name="q"
          label="Aircraft, person, flight or screen"
          value={q}
          maxLength={MAX_JUMP_QUERY_CHARACTERS}
        />
        <Button>Search</Button>
      </Form>
      {q.trim() === '' && (
        <p className="hint">A tail number, a username, the number of a flight, or what you want to do.</p>
      )}
      {q.trim() !== '' && places.length === 0 && <EmptyState text="Nothing found." />}
      <ul className="place-list">
        {places.map(({ href, kind, label }) => (
          <li key={`${kind} ${href}`}>
            <Link to={href}>{label}</Link> <span className="hint">{kind}</span>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

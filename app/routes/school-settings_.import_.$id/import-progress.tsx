import { useEffect } from 'react';
import { useRevalidator } from '@remix-run/react';
import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { IMPORT_RENEWAL_S } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink, Notice } from '#app/ui/elements.tsx';

/** How far an import is; with script the page's data are loaded anew every few seconds, without it by a link. */
export function ImportProgress({ view }: { view: ImportView }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, IMPORT_RENEWAL_S * 1000);
    return () => clearInterval(timer);
  }, [revalidate]);
  const { done, total } = view.progress;
  return (
    <Notice tone="info" action={<ButtonLink to={paths.import(view.id)}>Reload</ButtonLink>}>
      <p>{`${view.stateText}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows. You can leave this page and come back.`}</p>
      <progress className="import-progress" value={done} max={Math.max(1, total)} aria-label={view.stateText} />
    </Notice>
  );
}

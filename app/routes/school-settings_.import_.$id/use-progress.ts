import { useEffect } from 'react';
import { useRevalidator } from '@remix-run/react';
import { IMPORT_RENEWAL_S } from '#app/limits.ts';

/** Loads the page's data anew every few seconds while its import is under way. */
export function useProgress(isBusy: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(revalidate, IMPORT_RENEWAL_S * 1000);
    return () => clearInterval(timer);
  }, [isBusy, revalidate]);
}

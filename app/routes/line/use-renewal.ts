import { useEffect, useRef } from 'react';
import { useRevalidator } from '@remix-run/react';
import { FLIGHT_LINE_RENEWAL_S } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

/** Reads the page's data again every minute, once the server is found to be there: an error page would stay. */
export function useRenewal(): void {
  const { revalidate } = useRevalidator();
  const renew = useRef(revalidate);
  renew.current = revalidate;
  useEffect(() => {
    const renewIfServed = async () => {
      if (await isServed()) renew.current();
    };
    const timer = setInterval(() => void renewIfServed(), FLIGHT_LINE_RENEWAL_S * 1000);
    return () => clearInterval(timer);
  }, []);
}

async function isServed(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(FLIGHT_LINE_RENEWAL_S * 500);
    return (await fetch(paths.line, { method: 'HEAD', signal })).ok;
  } catch {
    return false;
  }
}

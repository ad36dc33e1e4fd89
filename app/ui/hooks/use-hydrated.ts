import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True once script runs the page; false on the server and in the first paint, so that both agree. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

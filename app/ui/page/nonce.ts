import { createContext, useContext } from 'react';

const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

/** Returns the nonce of the document's scripts; undefined in the browser, which hides it from scripts. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

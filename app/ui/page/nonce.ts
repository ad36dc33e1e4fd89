import { createContext, useContext } from 'react';

const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

/** The document's script nonce; undefined in the browser, which hides it from scripts anyway. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

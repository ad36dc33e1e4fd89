import { createContext, useContext } from 'react';

const ReferenceContext = createContext<string | undefined>(undefined);
export const ReferenceProvider = ReferenceContext.Provider;

/** Returns the id of the request that this document answers, or of the last one since that failed. */
export function useReference(): string | undefined {
  const rendered = useContext(ReferenceContext);
  return typeof document === 'undefined' ? rendered : document.documentElement.dataset.requestId;
}

export function ReferenceOfPage() {
  const reference = useReference();
  return reference && <Reference to={reference} />;
}

/** Shows the id that leads from a screenshot of an error to its lines in the server's log. */
export function Reference({ to }: { to: string }) {
  return (
    <p className="inline-note">
      Reference <code>{to}</code>
    </p>
  );
}

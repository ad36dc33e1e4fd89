import { createContext, useContext } from 'react';
import href from '#app/styles/styles.css?url';

const InlineStylesContext = createContext<string | undefined>(undefined);

export const InlineStylesProvider = InlineStylesContext.Provider;

const ID = 'styles';

/** Links the style sheet, or puts it into the document; the file is then fetched later, for the next document. */
export function Styles() {
  const inline = useContext(InlineStylesContext) ?? inlineStylesOfDocument();
  if (inline === undefined) return <link rel="stylesheet" href={href} />;
  return (
    <>
      <style id={ID} dangerouslySetInnerHTML={{ __html: inline }} />
      <link rel="prefetch" as="style" href={href} />
    </>
  );
}

/** Reads the styles from the document, because hydration has to render what the server did. */
function inlineStylesOfDocument(): string | undefined {
  return typeof document === 'undefined' ? undefined : (document.getElementById(ID)?.textContent ?? undefined);
}

const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

/** Returns the nonce of the document's scripts; undefined in the browser, which hides it from scripts. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

import { createContext, useContext } from 'react';
import href from '#app/styles/styles.css?url';

const InlineStylesContext = createContext<string | undefined>(undefined);

export const InlineStylesProvider = InlineStylesContext.Provider;

const ID = 'styles';

/** The style sheet as a file, or in the document itself; then the file is fetched later, for the next document. */
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

/** What was rendered on the server, and the browser was not told. */
function inlineStylesOfDocument(): string | undefined {
  return typeof document === 'undefined' ? undefined : (document.getElementById(ID)?.textContent ?? undefined);
}

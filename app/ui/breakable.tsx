import { Fragment } from 'react';

/** Lets a name or an address go on in the next line behind a sign, rather than inside a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[.@_-])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

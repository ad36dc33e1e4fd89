import { createHash } from 'node:crypto';
import styles from '#app/styles/styles.css?inline';

interface InlineStyles {
  text: string;
  /** As a content security policy names it. */
  hash: string;
}

const inlineStyles: InlineStyles = {
  text: styles,
  hash: `'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
};

/** For a browser that comes from elsewhere and may lack the file; who comes from a page of ours has it. */
export function findInlineStyles({ headers }: Request): InlineStyles | undefined {
  const isArrival = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-site') !== 'same-origin';
  return isArrival && styles !== '' ? inlineStyles : undefined;
}

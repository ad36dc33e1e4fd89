import { createHash } from 'node:crypto';
import styles from '#app/styles/styles.css?inline';

interface InlineStyles {
  text: string;
  hash: string;
}

const inlineStyles: InlineStyles = {
  text: styles,
  hash: styleHash(styles),
};

/** Returns the name that a content security policy has for styles in the page. */
export function styleHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Returns the styles for a browser that may lack the file, because it does not come from one of our pages. */
export function findStylesToInline({ headers }: Request): InlineStyles | undefined {
  const isArrival = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-site') !== 'same-origin';
  return isArrival && styles !== '' ? inlineStyles : undefined;
}

import { createHash } from 'node:crypto';
import styles from '#app/styles/styles.css?inline';

interface InlineStyles {
  text: string;
  /** As a content security policy names it. */
  hash: string;
}

const inlineStyles: InlineStyles = {
  text: styles,
  hash: styleHash(styles),
};

/** As a content security policy names styles that stand in the page. */
export function styleHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** For a browser that comes from elsewhere and may lack the file; who comes from a page of ours has it. */
export function findInlineStyles({ headers }: Request): InlineStyles | undefined {
  const isArrival = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-site') !== 'same-origin';
  return isArrival && styles !== '' ? inlineStyles : undefined;
}

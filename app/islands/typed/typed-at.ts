let last = 0;

/** A time of this page, later than any before, so that the server can put drafts in their order. */
export function nextTypedAt(): number {
  last = Math.max(Date.now(), last + 1);
  return last;
}

/** Part of a list that is ordered by id. */
export interface ListPage {
  after: number | undefined;
  limit: number | undefined;
  /** Instant, or day at the school. */
  since: string | undefined;
}

export function asksForAll({ after, limit, since }: ListPage): boolean {
  return after === undefined && limit === undefined && since === undefined;
}

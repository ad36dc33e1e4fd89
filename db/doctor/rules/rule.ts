/** What must never be, as a query that finds what breaks it, and how that is mended. */
export interface Rule {
  /** What the rows found are, as the heading of a fault. */
  fault: string;
  mend: string;
  /** Statements that mend it without asking anybody, because no record of the school is lost by them. */
  repairs?: string[];
  /** Also broken where the product merely does not run, as in a restored copy. */
  needsRunningProduct?: true;
  /** Each row is one that breaks the rule: school_id, subject (table and row), detail (what is wrong with it). */
  query: string;
}

export const ASK = 'find out with the people concerned what is true';

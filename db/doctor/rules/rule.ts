/** Something that must never be: a query that finds it, and how it is mended. */
export interface Rule {
  /** Heading of the fault, which says what the rows found are. */
  fault: string;
  mend: string;
  /** Statements that mend it without asking anybody, because no record of the school is lost by them. */
  repairs?: string[];
  /** True if the rule is also broken where the product merely does not run, as in a restored copy. */
  needsRunningProduct?: true;
  /** Each row is one that breaks the rule: school_id, subject (table and row), detail (what is wrong with it). */
  query: string;
}

export const ASK_PEOPLE_TEXT = 'find out with the people concerned what is true';

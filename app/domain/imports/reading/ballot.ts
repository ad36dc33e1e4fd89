export interface Cell {
  /** As in the file, from 1. */
  row: number;
  text: string;
}

export const cellWithRowText = ({ row, text }: Cell) => `${text} (row ${row})`;

/** One way in which a file can be read, with how many cells only it can read, and how many it cannot. */
export interface ReadingWay<Name extends string = string> {
  name: Name;
  for: number;
  against: number;
  firstAgainst: Cell | null;
}

/** The text that each way makes of one cell; a way that is not named cannot read it. */
export type ReadingsByWay<Name extends string> = Partial<Record<Name, string>>;

interface Example<Name extends string> {
  cell: Cell;
  readings: ReadingsByWay<Name>;
}

/** Holds cells against the ways in which a file can be read. A cell that no way can read proves nothing. */
export class Ballot<Name extends string> {
  readonly ways: ReadingWay<Name>[];
  /** The first cell that is alike in which ways read it, and which of them the same. */
  readonly #examples = new Map<string, Example<Name>>();

  constructor(names: readonly Name[]) {
    this.ways = names.map((name) => ({ name, for: 0, against: 0, firstAgainst: null }));
  }

  vote(cell: Cell, readings: ReadingsByWay<Name>): void {
    const read = this.ways.filter(({ name }) => readings[name] !== undefined);
    if (read.length === 0) return;
    for (const way of this.ways) {
      if (!read.includes(way)) {
        way.against += 1;
        way.firstAgainst ??= cell;
      } else if (read.length === 1) way.for += 1;
    }
    const texts = this.ways.map(({ name }) => readings[name]);
    const pattern = texts.map((text) => (text === undefined ? '-' : texts.indexOf(text))).join('');
    if (!this.#examples.has(pattern)) this.#examples.set(pattern, { cell, readings });
  }

  /** The ways that no cell is against; where cells contradict each other, those that a cell is for, or all. */
  get possible(): ReadingWay<Name>[] {
    const free = this.ways.filter(({ against }) => against === 0);
    const wanted = this.ways.filter((way) => way.for > 0);
    return [free, wanted].find((ways) => ways.length > 0) ?? this.ways;
  }

  get isContradicted(): boolean {
    return this.ways.every(({ against }) => against > 0);
  }

  /** A cell that shows how the possible ways differ. */
  get example(): Example<Name> | undefined {
    const names = this.possible.map(({ name }) => name);
    return [...this.#examples.values()].find(({ readings }) => new Set(names.map((name) => readings[name])).size > 1);
  }

  get shown(): Example<Name> | undefined {
    const [first] = this.possible;
    return (
      this.example ?? [...this.#examples.values()].find(({ readings }) => first && readings[first.name] !== undefined)
    );
  }

  /** The only way that is left, or the first where they make the same of all cells; undefined where it has to be asked. */
  get proven(): Name | undefined {
    const [first, second] = this.possible;
    return this.isContradicted || (second && this.example) ? undefined : first?.name;
  }
}

/** Votes with each text once, however many cells have it. */
export class TextBallot<Name extends string> extends Ballot<Name> {
  readonly #seen = new Set<string>();

  constructor(
    names: readonly Name[],
    private readonly read: (text: string, name: Name) => string | undefined,
  ) {
    super(names);
  }

  hold({ row, text }: Cell): void {
    const trimmed = text.trim();
    if (trimmed === '' || this.#seen.has(trimmed)) return;
    this.#seen.add(trimmed);
    const readings: ReadingsByWay<Name> = {};
    for (const { name } of this.ways) {
      const reading = this.read(trimmed, name);
      if (reading !== undefined) readings[name] = reading;
    }
    this.vote({ row, text: trimmed }, readings);
  }
}

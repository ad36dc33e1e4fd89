const UNIT_SEPARATOR = '\x1f';

/** A row whose cells are one text until they are asked for: a text for each cell takes five times the memory. */
export class PackedRow {
  /** How many cells it has, how many of them are filled, and how long they are together. */
  readonly width: number;
  readonly filled: number;
  readonly characters: number;
  readonly #packed: string | string[];

  constructor(
    /** Where the row stands in the file, from 1, the headings included. */
    readonly number: number,
    cells: string[],
  ) {
    const isPackable = cells.length > 0 && !cells.some((cell) => cell.includes(UNIT_SEPARATOR));
    this.#packed = isPackable ? cells.join(UNIT_SEPARATOR) : cells;
    this.width = cells.length;
    this.filled = cells.reduce((count, cell) => count + (cell.trim() === '' ? 0 : 1), 0);
    this.characters = cells.reduce((sum, { length }) => sum + length, 0);
  }

  get text(): string {
    return typeof this.#packed === 'string' ? this.#packed : this.#packed.join(UNIT_SEPARATOR);
  }

  get cells(): string[] {
    return typeof this.#packed === 'string' ? this.#packed.split(UNIT_SEPARATOR) : [...this.#packed];
  }
}

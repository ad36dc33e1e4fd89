/** Position of each kind's format in the workbook's styles, and the column's width in characters. */
export const CELL_FORMATS_BY_KIND = {
  text: { style: 0, width: 16 },
  'long text': { style: 0, width: 34 },
  id: { style: 0, width: 9 },
  number: { style: 2, width: 11 },
  time: { style: 3, width: 17 },
  clock: { style: 4, width: 9 },
} as const;

export type CellKind = keyof typeof CELL_FORMATS_BY_KIND;

export function isTextKind(kind: CellKind): boolean {
  return kind === 'text' || kind === 'long text';
}

export interface SheetColumn {
  name: string;
  kind: CellKind;
}

/** Returns 'A' for 0, 'AA' for 26. */
export function columnLetters(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

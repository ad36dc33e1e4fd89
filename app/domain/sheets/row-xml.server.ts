import { type RawBuilder, sql } from 'kysely';
import { CELL_FORMATS_BY_KIND, type CellKind, columnLetters, isTextKind } from './cell-kinds.ts';

interface Cells {
  column: string;
  kind: CellKind;
}

/** Selects a sheet's row as XML on one line, which only passes through the server; `number` is the row's. */
export function rowXmlExpression(cells: Cells[], number: RawBuilder<unknown>): RawBuilder<string> {
  const all = cells.map(({ column, kind }, index) => cellXml(sql.ref(column), kind, columnLetters(index), number));
  return sql`concat('<row r="', ${number}, '">', ${sql.join(all)}, '</row>')`;
}

function cellXml(value: RawBuilder<unknown>, kind: CellKind, letters: string, number: RawBuilder<unknown>) {
  const place = sql`${sql.lit(`<c r="${letters}`)}, ${number}`;
  if (isTextKind(kind)) {
    const before = sql.lit('" t="inlineStr"><is><t xml:space="preserve">');
    return sql`case when ${value} <> '' then concat(${place}, ${before}, ${escaped(value)}, '</t></is></c>') end`;
  }
  const before = sql.lit(`" s="${CELL_FORMATS_BY_KIND[kind].style}"><v>`);
  return sql`case when ${value} is not null then concat(${place}, ${before}, ${serial(value, kind)}, '</v></c>') end`;
}

const DAY_SECONDS = 86_400;
/** Days from the one that sheets count from to 1 January 1970. */
const EPOCH_DAYS = 25_569;

function serial(value: RawBuilder<unknown>, kind: CellKind): RawBuilder<unknown> {
  if (kind === 'clock') return sql`round(extract(epoch from ${value}::time) / ${sql.lit(DAY_SECONDS)}, 12)`;
  if (kind !== 'time') return value;
  const seconds = sql`extract(epoch from date_trunc('second', ${value})::timestamp)`;
  return sql`round(${seconds} / ${sql.lit(DAY_SECONDS)} + ${sql.lit(EPOCH_DAYS)}, 12)`;
}

const SPECIAL = sql.lit(String.raw`[&<>\\\r\n\t\u0001-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_`);
const INVALID = sql.lit(String.raw`[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]`);

/** Turns backslashes and line ends into references, since COPY would escape them; '_x0041_' would be read as 'A'. */
function escaped(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const valid = sql`regexp_replace(regexp_replace(${value}, ${INVALID}, '', 'g'), '_(x[0-9A-Fa-f]{4}_)', ${sql.lit('_x005F_\\1')}, 'g')`;
  const replaced = REFERENCES.reduce(
    (text, [found, reference]) => sql`replace(${text}, ${found}, ${sql.lit(reference)})`,
    valid,
  );
  return sql`case when ${value} ~ ${SPECIAL} then ${replaced} else ${value} end`;
}

const REFERENCES = [
  [sql`'&'`, '&amp;'],
  [sql`'<'`, '&lt;'],
  [sql`'>'`, '&gt;'],
  [sql`chr(92)`, '&#92;'],
  [sql`chr(13)`, '&#13;'],
  [sql`chr(10)`, '&#10;'],
  [sql`chr(9)`, '&#9;'],
] as const;

/* eslint jsx-a11y/no-redundant-roles: off, jsx-a11y/no-interactive-element-to-noninteractive-role: off --
   rows shown as cards are no table to some browsers, unless the roles stand in words */
import type { ComponentProps, ReactNode } from 'react';
import { Link } from '@remix-run/react';

interface DataTableProps {
  caption: string;
  columns: ReactNode[];
  children: ReactNode;
}

/**
 * A table that turns its rows into cards on a phone.
 * `<DataTable caption="Flight logs" columns={['Aircraft', 'Status']}><Row><RowHeader>…</RowHeader><Cell label="Status">…`
 */
export function DataTable({ caption, columns, children }: DataTableProps) {
  return (
    <table className="table" role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, index) => (
            <th key={index} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

/** One row; a RowLink inside makes all of it a target. */
export function TableRow({ children }: { children: ReactNode }) {
  return <tr role="row">{children}</tr>;
}

/** The cell that names the row. */
export function TableRowHeader({ children }: { children: ReactNode }) {
  return (
    <th scope="row" role="rowheader">
      {children}
    </th>
  );
}

/** One value; `label` repeats its column's name where rows are cards; a number is set in figures of one width. */
export function TableCell({
  label,
  isNumeric: numeric,
  children,
}: {
  label: string;
  isNumeric?: boolean;
  children: ReactNode;
}) {
  return (
    <td role="cell" data-label={label} className={numeric ? 'tabular-numbers' : undefined}>
      {children}
    </td>
  );
}

/** The row's only link and tab stop; its area covers the row, without script too. */
export function TableRowLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link preventScrollReset {...props} className="row-link" />;
}

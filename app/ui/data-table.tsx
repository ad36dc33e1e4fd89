/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   with `display: block` on a phone, browsers drop the implicit table roles */
import type { ComponentProps, ReactNode } from 'react';
import { Link } from './link.tsx';

interface DataTableProps {
  caption: string;
  columns: ReactNode[];
  children: ReactNode;
}

export function DataTable({ children, ...props }: DataTableProps) {
  return (
    <GroupedTable {...props}>
      <TableBody>{children}</TableBody>
    </GroupedTable>
  );
}

/** A table of row groups. With `name`, a phone lays its rows out in a way of their own. */
export function GroupedTable({ caption, columns, name, children }: DataTableProps & { name?: string }) {
  return (
    <table className="table" data-name={name} role="table">
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
      {children}
    </table>
  );
}

export function TableBody({ isSum, children }: { isSum?: boolean; children: ReactNode }) {
  return (
    <tbody role="rowgroup" className={isSum ? 'sum-row' : undefined}>
      {children}
    </tbody>
  );
}

export function TableGroup({ title, span, children }: { title: ReactNode; span: number; children: ReactNode }) {
  return (
    <tbody role="rowgroup">
      <tr role="row" className="group-title">
        <th scope="rowgroup" role="rowheader" colSpan={span}>
          {title}
        </th>
      </tr>
      {children}
    </tbody>
  );
}

export function TableRow({ children }: { children: ReactNode }) {
  return <tr role="row">{children}</tr>;
}

export function TableRowHeader({ span, children }: { span?: number; children: ReactNode }) {
  return (
    <th scope="row" role="rowheader" colSpan={span}>
      {children}
    </th>
  );
}

interface TableCellProps {
  /** Heading of its column, shown in the cell where rows are cards. */
  label: string;
  isNumeric?: boolean;
  children: ReactNode;
}

export function TableCell({ label, isNumeric, children }: TableCellProps) {
  return (
    <td role="cell" data-label={label} className={isNumeric ? 'tabular-numbers' : undefined}>
      {children}
    </td>
  );
}

/** The cells of a row that hold numbers or times, by the headings of their columns. */
export function NumberCells({ cells }: { cells: Record<string, ReactNode> }) {
  return (
    <>
      {Object.entries(cells).map(([label, cell]) => (
        <TableCell key={label} label={label} isNumeric>
          {cell}
        </TableCell>
      ))}
    </>
  );
}

export function TableRowLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link preventScrollReset {...props} className="row-link" />;
}

import type { ReactElement, ReactNode } from 'react';

/** What one hook of a rendered function keeps. */
interface Cell {
  value?: unknown;
  deps?: readonly unknown[] | undefined;
  stop?: (() => void) | undefined;
}

let rendering: { next: () => Cell; effects: (() => void)[]; render: () => void } | undefined;

function current() {
  if (!rendering) throw new Error('no function is being rendered');
  return rendering;
}

function kept(initial: () => unknown): Cell {
  const cell = current().next();
  if (!('value' in cell)) cell.value = initial();
  return cell;
}

/** In place of React's, for functions that `render` runs. */
export const hooks = {
  useState(initial: unknown) {
    const { render } = current();
    const cell = kept(() => (typeof initial === 'function' ? initial() : initial));
    const set = (next: unknown) => {
      const value: unknown = typeof next === 'function' ? next(cell.value) : next;
      if (Object.is(value, cell.value)) return;
      cell.value = value;
      render();
    };
    return [cell.value, set];
  },
  useRef: (initial: unknown) => kept(() => ({ current: initial })).value,
  useEffect(work: () => (() => void) | undefined, deps?: readonly unknown[]) {
    const cell = current().next();
    if (deps && cell.deps && deps.every((one, at) => Object.is(one, cell.deps?.[at]))) return;
    cell.deps = deps ?? [];
    current().effects.push(() => {
      cell.stop?.();
      cell.stop = work();
    });
  },
  useId: () => 'id',
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
};

/** Runs a hook or component as React would, but for the document; `vi.mock('react')` gives it `hooks`. */
export function render<Props, Result>(run: (props: Props) => Result, props: Props) {
  const cells: Cell[] = [];
  const shown = { result: undefined as Result | undefined, props };
  let isOver = false;
  let isRunning = false;
  let isStale = false;
  const runOnce = () => {
    let at = 0;
    const effects: (() => void)[] = [];
    rendering = { next: () => (cells[at++] ??= {}), effects, render: again };
    shown.result = run(shown.props);
    rendering = undefined;
    for (const effect of effects) effect();
  };
  function again(): void {
    isStale = true;
    if (isRunning || isOver) return;
    isRunning = true;
    for (; isStale;) {
      isStale = false;
      runOnce();
    }
    isRunning = false;
  }
  again();
  return {
    get result(): Result {
      return shown.result as Result;
    },
    renew(next: Props) {
      shown.props = next;
      again();
    },
    end() {
      isOver = true;
      for (const { stop } of cells) stop?.();
    },
  };
}

/** The elements of a tree that `isWanted`, in their order. */
export function elementsOf(tree: ReactNode, isWanted: (element: ReactElement) => boolean): ReactElement[] {
  if (Array.isArray(tree)) return tree.flatMap((one: ReactNode) => elementsOf(one, isWanted));
  if (typeof tree !== 'object' || tree === null || !('props' in tree)) return [];
  return [...(isWanted(tree) ? [tree] : []), ...elementsOf(tree.props.children, isWanted)];
}

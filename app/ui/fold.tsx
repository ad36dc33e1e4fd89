import { type ReactNode, useState } from 'react';

interface FoldProps {
  summary: string;
  /** Whether an answer asks for what is inside; once it has, the fold stays as its reader leaves it. */
  isCalledFor: boolean;
  children: ReactNode;
}

/** Keeps what is rarely needed in one line. */
export function Fold({ summary, isCalledFor, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(isCalledFor);
  if (isCalledFor && !isOpen) setIsOpen(true);
  return (
    <details className="fold" open={isOpen}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';
import { useActionData } from '@remix-run/react';
import { ButtonLink, Card, Notice } from '../elements.tsx';

interface ShownOnceProps {
  title: string;
  warning: string;
  /** Where the button leads by which the reader says that it was kept, and its words. */
  kept: { to: string; label: string };
  children: ReactNode;
}

/** Shows what is stored as a hash alone, and takes the focus: whoever does not see it now never does. */
export function ShownOnce({ title, warning, kept, children }: ShownOnceProps) {
  const titleRef = useRef<HTMLSpanElement>(null);
  const reply = useActionData();

  useEffect(() => titleRef.current?.focus(), [reply]);

  return (
    <Card
      title={
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- takes the reader there without JavaScript too
        <span ref={titleRef} tabIndex={-1} autoFocus>
          {title}
        </span>
      }
      actions={<ButtonLink to={kept.to}>{kept.label}</ButtonLink>}
    >
      <Notice tone="caution">{warning}</Notice>
      {children}
    </Card>
  );
}

export function Secret({ text }: { text: string }) {
  return (
    <p>
      <code className="secret">{text}</code>
    </p>
  );
}

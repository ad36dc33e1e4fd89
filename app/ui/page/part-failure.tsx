import { Notice } from '../notice.tsx';
import { Reference } from './reference.tsx';

interface PartFailureProps {
  part: { failure: string | null; reference?: string | undefined };
}

/** Says that a part of the page failed, with the reference that leads to the log. */
export function PartFailure({ part: { failure, reference } }: PartFailureProps) {
  if (failure === null) return null;
  return (
    <Notice tone="danger">
      {failure}
      {reference && <Reference to={reference} />}
    </Notice>
  );
}

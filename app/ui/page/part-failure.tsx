import { Notice } from '../elements.tsx';
import { Reference } from './reference.tsx';

interface PartFailureProps {
  part: { failure: string | null; reference?: string | undefined };
}

export function PartFailure({ part: { failure, reference } }: PartFailureProps) {
  if (failure === null) return null;
  return (
    <Notice tone="danger">
      {failure}
      {reference && <Reference to={reference} />}
    </Notice>
  );
}

import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Notice } from '../elements.tsx';

/** Stands on every page of an administrator, until the school is deleted or that is called off. */
export function RemovalNotice({ on }: { on: string }) {
  return (
    <Notice tone="danger">
      This school and everything in it is deleted on {on}. <Link to={paths.removeSchool}>Keep the school</Link>
    </Notice>
  );
}

import { DescriptionList } from '../elements.tsx';
import type { FormReply } from '../forms/form.tsx';

/** Shows what was typed into a form that came to nothing. */
export function NotSavedEntries({ reply }: { reply: Pick<FormReply, 'typed'> | undefined }) {
  if (!reply?.typed?.length) return null;
  return (
    <>
      <p>What you entered was not saved:</p>
      <DescriptionList items={reply.typed} />
    </>
  );
}

import { authedLoader } from '#app/server/screen.server.ts';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('School');

export const loader = authedLoader({ can: 'manage school', school: 'optional', load: async () => null });

/** The navigation below the heading, which all its pages have, is the page: without script, too, Tab goes on to it. */
export default function School() {
  const title = (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is a list of links, which stand right behind
    <span tabIndex={-1} autoFocus>
      School
    </span>
  );
  return (
    <Screen title={title} showBackLink toast={useToast(undefined)} width="form">
      {null}
    </Screen>
  );
}

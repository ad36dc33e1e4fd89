import { texts } from '#app/domain/texts.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

/** In place of a check-out: its pilot has a flight in progress. */
export function ActiveFlight({ checkInPath, toast }: { checkInPath: string; toast: Toast | null }) {
  return (
    <Screen title="Check Out Aircraft" showBackLink toast={toast} width="form">
      <Notice
        tone="caution"
        action={
          <ButtonLink variant="cta" to={checkInPath}>
            Complete Post-Flight Check
          </ButtonLink>
        }
      >
        {texts.activeFlight}
      </Notice>
    </Screen>
  );
}

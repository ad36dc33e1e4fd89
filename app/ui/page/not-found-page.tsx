import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '../button.tsx';
import { ReferenceOfPage } from './reference.tsx';
import { Screen } from './screen.tsx';

export function NotFoundPage() {
  return (
    <Screen title={texts.pageNotFound} width="form">
      <p>There is nothing at this address.</p>
      <div className="actions">
        <ButtonLink variant="primary" to={paths.dashboard}>
          Back to Dashboard
        </ButtonLink>
      </div>
      <ReferenceOfPage />
    </Screen>
  );
}

import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '../button.tsx';
import { ReferenceOfPage } from './reference.tsx';
import { Screen } from './screen.tsx';

export function NotFoundPage() {
  return (
    <Screen title={texts.pageNotFound} width="form">
      <p>There is nothing at this address. It may have been mistyped, or what was there is gone.</p>
      <div className="actions">
        <ButtonLink variant="primary" to={paths.dashboard}>
          Back to Dashboard
        </ButtonLink>
        <ButtonLink to={paths.search}>Search</ButtonLink>
      </div>
      <ReferenceOfPage />
    </Screen>
  );
}

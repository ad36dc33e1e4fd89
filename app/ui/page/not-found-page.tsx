import { ButtonLink } from '../button.tsx';
import { Screen } from './screen.tsx';

export function NotFoundPage() {
  return (
    <Screen title="404 Page Not Found" width="form">
      <p>There is nothing at this address.</p>
      <div className="actions">
        <ButtonLink variant="primary" to="/">
          Back to Dashboard
        </ButtonLink>
      </div>
    </Screen>
  );
}

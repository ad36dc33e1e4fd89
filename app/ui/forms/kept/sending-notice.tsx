import { useNavigate } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Button } from '#app/ui/elements.tsx';
import { useNews } from '../../news.ts';

/** Shows how far an upload is, and after ten seconds without an answer a way to go on. */
export function SendingNotice() {
  const [sending] = useNews('sending');
  const navigate = useNavigate();
  const goOn = () => {
    sending?.cancel();
    navigate(paths.dashboard);
  };
  return (
    <div role="status" className="sending">
      {sending && (sending.hasFiles || sending.isSlow) && (
        <div className="notice" data-tone="info">
          <div>
            <p>{sending.isSlow ? 'No answer yet. What you entered is kept.' : 'Sending photos…'}</p>
            <progress aria-label="Sent" value={sending.progress ?? undefined} />
          </div>
          <Button type="button" onClick={sending.cancel}>
            Cancel
          </Button>
          {sending.isSlow && (
            <Button type="button" onClick={goOn}>
              Keep it and go on
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

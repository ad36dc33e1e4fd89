import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { KeyDialog } from './key-dialog.tsx';

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <KeyDialog title="Keys" onClose={onClose}>
      <dl className="key-list">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        Single keys can be turned off in{' '}
        <Link to={paths.account} onClick={onClose}>
          your account
        </Link>
        .
      </p>
    </KeyDialog>
  );
}

const KEYS = [
  ['/', 'Jump to an aircraft, a person or a flight'],
  ['?', 'Show the keys'],
  ['Esc', 'Close a dialog or a menu'],
];

import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Shows the codes once: only their hashes are stored. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Card title="Your Recovery Codes" actions={<ButtonLink to={paths.account}>I have kept them</ButtonLink>}>
      <Notice tone="caution">
        Print or write them down now; they are not shown again. Each works once, in place of a code from the app.
      </Notice>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { JumpDialog } from './jump-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';

export const DIALOGS = { jump: JumpDialog, keys: KeysDialog };

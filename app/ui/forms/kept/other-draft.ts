export interface OtherDraft {
  text: string;
  use: () => void;
}

declare global {
  interface DocumentEventMap {
    otherdraft: CustomEvent<OtherDraft>;
  }
}

export function offerDraft(draft: OtherDraft): void {
  document.dispatchEvent(new CustomEvent('otherdraft', { detail: draft }));
}

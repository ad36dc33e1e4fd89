import { VIEWER_ID } from '#app/domain/typed-forms/field-names.ts';

/** Who is signed in, as the document says it; undefined for nobody. */
export function viewerId(): string | undefined {
  return document.documentElement.dataset.viewer;
}

/** Whom the form was made for; who is signed in if it does not say so, or nobody is as far as the page knows. */
export function viewerIdOfForm({ elements }: HTMLFormElement): string | undefined {
  const field = [...elements].find((control) => control instanceof HTMLInputElement && control.name === VIEWER_ID);
  return viewerId() && field instanceof HTMLInputElement && field.value ? field.value : viewerId();
}

export function isSharedComputer(): boolean {
  return document.documentElement.dataset.shared !== undefined;
}

/** Changes with who is signed in, and how. */
export function viewerKey(): string {
  return `${viewerId()} ${isSharedComputer()}`;
}

/** The server's draft of a form that it rendered. */
export interface ServerDraft {
  savedAt: string;
  typedAt: number | null;
  isElsewhere: boolean;
  names: string[];
}

export function serverDraft(formId: string): ServerDraft | undefined {
  const drafts: Record<string, ServerDraft> = JSON.parse(document.documentElement.dataset.drafts ?? '{}');
  return drafts[formId];
}

/** The server's clock when it rendered the page. */
export function renderedAt(): string | undefined {
  return document.documentElement.dataset.renderedAt;
}

/** The page's path, '#' and the form's id. */
export function formKey(form: HTMLFormElement): string {
  return `${location.pathname}#${form.id}`;
}

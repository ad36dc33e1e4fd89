import { useEffect, useState } from 'react';

/** What the scripts and components of a page tell one another. */
interface News {
  /** What became of the form that script has sent last. */
  formoutcome: FormOutcome;
  /** Of the form that it is told at: whether what was typed into it is kept, and where. */
  draftstate: DraftState;
  /** Other values of a form, which somebody may want in place of those that it shows. */
  otherdraft: OtherDraft;
  /** The form that is on its way; null once it is not. */
  sending: Sending | null;
  toast: Toast;
}

/** One that is 'waiting' is stored by the server until its sender has signed in or entered the password. */
export type FormOutcome = 'sent' | 'waiting' | 'refused' | 'mismatch' | 'unknown';
export type DraftState = 'saved' | 'on device' | 'failed';

export interface Toast {
  id: string;
  title: string;
  text?: string;
  tone: 'default' | 'destructive';
  /** Link that the page shows, where it does not close with the toast. */
  link?: string;
  username?: string | undefined;
  reference?: string | undefined;
}

interface OtherDraft {
  text: string;
  use: () => void;
}

export interface Sending {
  /** Part that was sent, from 0 to 1; null if it is not known. */
  progress: number | null;
  isSlow: boolean;
  hasFiles: boolean;
  cancel: () => void;
}

export function tell<Name extends keyof News>(name: Name, news: News[Name], target: EventTarget = document): void {
  target.dispatchEvent(new CustomEvent(name, { detail: news }));
}

type Hear<Name extends keyof News> = (news: News[Name]) => void;

/** Returns a function that stops it. */
export function hear<Name extends keyof News>(name: Name, handle: Hear<Name>, target: EventTarget = document) {
  const listener = (event: Event) => handle(Reflect.get(event, 'detail'));
  target.addEventListener(name, listener);
  return () => target.removeEventListener(name, listener);
}

/** Returns what was told last since `page` came, and a function that forgets it. */
export function useNews<Name extends keyof News>(name: Name, page?: string): [News[Name] | undefined, () => void] {
  const [news, setNews] = useState<News[Name]>();
  const forget = () => setNews(undefined);
  useEffect(() => {
    const stop = hear(name, (told) => setNews(() => told));
    return () => {
      forget();
      stop();
    };
  }, [name, page]);
  return [news, forget];
}

import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { SubmissionResult } from '@conform-to/react';
import {
  type ClientActionFunctionArgs,
  Form,
  type FormProps,
  isRouteErrorResponse,
  useActionData,
  useLocation,
  useNavigation,
  useRouteLoaderData,
} from '@remix-run/react';
import { texts } from '#app/domain/texts.ts';
import { TYPED_FORM, VIEWER_ID } from '#app/domain/typed-forms/field-names.ts';
import { paths } from '#app/paths.ts';
import { Button, type DescriptionItem } from '../elements.tsx';
import { type FormOutcome, tell } from '../news.ts';
import { useTypedValues } from '../page/screen.tsx';
import { showToast, type Toast } from '../page/toast-region.tsx';
import { type FormField, HiddenField, plainField } from './fields.tsx';
import { Cancelled, sendForm } from './kept/send-form.ts';
import { hasIntentOfButton, timesSent } from './kept/sent-form.ts';

interface ActFormProps extends Omit<FormProps, 'method'> {
  requestId?: string;
}

/** Says whom it was made for as long as it stands in its page: in another tab, somebody else may have signed in since. */
export function ActForm({ requestId, children, ...rest }: ActFormProps) {
  const viewer = useRouteLoaderData<{ viewer: { id: number } | null }>('root')?.viewer;
  const [viewerId] = useState(viewer?.id);
  const currentId = useRequestId(requestId);
  return (
    <Form {...rest} method="post">
      <HiddenField name={VIEWER_ID} value={viewerId} />
      {requestId && <HiddenField name="requestId" value={currentId} />}
      {children}
    </Form>
  );
}

/** Makes submitting twice harmless. A failed response says which id is next: the same, where the request may have succeeded. */
function useRequestId(first: string | undefined): string | undefined {
  const reply = useActionData<{ requestId?: string | null; isDone?: true }>();
  const current = useRef(first);
  current.current = (!reply || reply.isDone ? first : reply.requestId) ?? current.current;
  return current.current;
}

interface PostFormProps extends Omit<ActFormProps, 'noValidate'> {
  id: string;
  /** Name of a form on another page, which is sent with this one. */
  typedForm?: string | undefined;
}

/**
 * Keeps the fields until they are sent, and begins anew then, where its page stays. The form names itself, so that sending
 * it without script ends its draft.
 */
export function PostForm({ id, typedForm, children, ...rest }: PostFormProps) {
  const { pathname, key } = useLocation();
  const [{ shown, times }, setShown] = useState({ shown: key, times: timesSent(id) });
  // With the page that follows and not before it, so that no press meets a form that goes.
  if (shown !== key) setShown({ shown: key, times: timesSent(id) });
  return (
    <ActForm key={times} {...rest} id={id} noValidate>
      <HiddenField name={TYPED_FORM} value={typedForm ?? `${pathname}#${id}`} />
      {children}
    </ActForm>
  );
}

interface FormOptions {
  id: string;
  lastResult?: SubmissionResult | null | undefined;
  defaultValue?: object | undefined;
}

export interface FormState {
  id: string;
  /** Errors by field; those of the form itself have the key ''. */
  allErrors: Record<string, string[]>;
  errors: string[] | undefined;
}

/** Stands in for conform's `useForm`: validation runs on the server only, which saves nine kilobytes of script. */
export function useForm<Values extends object>({ id, lastResult, defaultValue }: FormOptions) {
  const allErrors = errorsOf(lastResult);
  const typed = useTypedValues(id, defaultValue);
  const values: Record<string, unknown> = { ...(lastResult?.initialValue ?? typed) };
  const fieldOf = (name: string): FormField => ({
    ...plainField(name, values[name] ?? nestedValue(values, name), `${id}-${name}`),
    errors: allErrors[name],
  });
  const form: FormState = { id, allErrors, errors: allErrors[''] };
  const fields = new Proxy({} as Record<keyof Values & string, FormField>, {
    get: (_fields, name) => fieldOf(String(name)),
  });
  return [form, fields] as const;
}

/** Returns the value of a name with dots, which conform nests and drafts do not. */
function nestedValue(values: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), values);
}

function errorsOf(result: SubmissionResult | null | undefined): Record<string, string[]> {
  const entries = Object.entries(result?.error ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Boolean(entry[1]?.length)));
}

type SubmitButtonProps = ComponentProps<typeof Button> & { pendingLabel?: string | undefined };

/** Prevents a second submit while the first is pending. It is not `disabled` then, so that it keeps the focus. */
export function SubmitButton({ children, pendingLabel, variant = 'primary', ...rest }: SubmitButtonProps) {
  const labelRef = useRef<HTMLSpanElement>(null);
  const { state } = useNavigation();
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isPending = isSubmitted && state !== 'idle';

  useEffect(() => {
    if (state === 'idle') setIsSubmitted(false);
  }, [state]);

  useEffect(() => {
    const button = labelRef.current?.closest('button');
    const form = button?.form;
    if (!form) return;
    const handleSubmit = (event: SubmitEvent) => {
      if (!hasIntentOfButton(event.submitter, button)) return;
      if (!isPending) return setIsSubmitted(true);
      event.preventDefault();
      // What watches sent forms would wait for the answer of this press.
      event.stopPropagation();
    };
    form.addEventListener('submit', handleSubmit);
    return () => form.removeEventListener('submit', handleSubmit);
  }, [isPending]);

  return (
    <Button {...rest} variant={variant} aria-disabled={isPending || rest['aria-disabled']}>
      <span ref={labelRef}>{isPending && pendingLabel ? pendingLabel : children}</span>
    </Button>
  );
}

/** Comes first in a form whose main button does not, so that Enter submits with the main button's intent. */
export function DefaultSubmitButton(props: { name?: string; value?: string; form?: string }) {
  return <button {...props} type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />;
}

/** Lists a form's errors, each linked to its field, and takes the focus; belongs in `beforeTitle` of Screen. */
export function ErrorSummary({ form }: { form: FormState }) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const actionData = useActionData();
  const errors = withoutRepeatedTexts(Object.entries(form.allErrors));
  const hasErrors = errors.length > 0;

  // The effect depends on the action's data, so that the same errors take the focus again.
  useEffect(() => {
    if (actionData && hasErrors) headingRef.current?.focus();
  }, [actionData, hasErrors]);

  if (!hasErrors) return null;
  return (
    <div className="error-summary">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- announces the errors without JavaScript too */}
      <h2 ref={headingRef} tabIndex={-1} autoFocus>
        There is a problem
      </h2>
      <ul>
        {errors.map(([name, [text]]) => (
          <li key={name}>{name === '' ? text : <FieldLink id={`${form.id}-${name}`}>{text}</FieldLink>}</li>
        ))}
      </ul>
    </div>
  );
}

function withoutRepeatedTexts(errors: [string, string[]][]): [string, string[]][] {
  return errors.filter(([, [text]], index) => errors.findIndex(([, [other]]) => other === text) === index);
}

function FieldLink({ id, children }: { id: string; children: ReactNode }) {
  // The link is not followed, because a navigation would discard the action's data.
  const focusField = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
  return (
    <a href={`#${id}`} onClick={focusField}>
      {children}
    </a>
  );
}

export interface FormReply {
  /** Null leaves the entered values as they are. */
  result: SubmissionResult | null;
  toast: Toast | null;
  /** What was entered, where the form itself may be gone. */
  typed?: DescriptionItem[];
}

const CONFLICT = 409;
const MISMATCH = 422;
const UNAVAILABLE = 503;

/** Says what failed; a route with several acts, by the act's intent. */
type Failed = string | ((intent: unknown) => string);

/** Keeps the page and what was entered when a post fails; a route exports what this returns as `clientAction`. */
export function keepFormOnNetworkError(failed?: Failed, advice: string = texts.networkFailed) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    const act = typeof failed === 'function' ? failed((await request.clone().formData()).get('intent')) : failed;
    try {
      const answer = await sendForm(() => serverAction<{ status?: number; isDone?: true } | undefined>());
      tell('formoutcome', answer?.isDone ? 'sent' : outcomeOf(answer?.status));
      return answer;
    } catch (error) {
      const status = statusOf(error);
      tell('formoutcome', error instanceof Response ? outcomeOfRedirect(error) : outcomeOf(status));
      if (status !== undefined && status < UNAVAILABLE) throw error;
      const text = isRouteErrorResponse(error) ? String(error.data) : advice;
      const toast = failureToast(error, text, act);
      if (new URL(request.url).pathname !== location.pathname) return stayHere(toast);
      // An error status keeps the router from revalidating over the same connection.
      return Response.json({ result: null, toast }, { status: UNAVAILABLE });
    }
  };
}

export const clientAction = keepFormOnNetworkError();

/** The form's own page might not come, and its loader might take the message with it: only the hash changes. */
function stayHere(toast: Toast): Response {
  showToast(toast);
  const here = location.pathname + location.search + (location.hash || '#main');
  return new Response(null, { status: 302, headers: { location: here, 'x-remix-replace': 'true' } });
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Response || isRouteErrorResponse(error) ? error.status : undefined;
}

function outcomeOf(status: number | undefined): FormOutcome {
  if (status === MISMATCH) return 'mismatch';
  return status === undefined || status >= UNAVAILABLE || status === CONFLICT ? 'unknown' : 'refused';
}

/** Reads a redirect: one to a screen that asks who it is says that nothing was done yet. */
function outcomeOfRedirect({ headers }: Response): FormOutcome {
  const { pathname } = new URL(headers.get('location') ?? '/', location.href);
  if (pathname === paths.secondFactor) return 'refused';
  const asks = pathname === paths.login || paths.confirmPassword('/').startsWith(`${pathname}?`);
  return asks ? 'waiting' : 'sent';
}

function failureToast(error: unknown, text: string, failed: string | undefined): Toast {
  const id = `not-sent-${Date.now()}`;
  if (error instanceof Cancelled) return { id, title: texts.sendingCancelled, text: texts.stillHere, tone: 'default' };
  return { id, title: 'Error', text: failed === undefined ? text : `${failed}. ${text}`, tone: 'destructive' };
}

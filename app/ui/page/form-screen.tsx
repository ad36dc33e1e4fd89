import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink, Card, Actions, Stack } from '../elements.tsx';
import { ErrorSummary, PostForm, SubmitButton, type FormState } from '../forms/form.tsx';
import { useToast, Screen } from './screen.tsx';

interface FormScreenProps extends Pick<
  ComponentProps<typeof Screen>,
  'title' | 'subtitle' | 'badge' | 'trail' | 'showBackLink'
> {
  notice?: ReactNode;
  form: FormState;
  reply: Parameters<typeof useToast>[0];
  requestId: string;
  encType?: 'multipart/form-data';
  submit: { label: string; pending: string; variant?: 'danger' };
  cancelTo?: string;
  cancelLabel?: string;
  /** The card that the form stands in; false for fields in cards of their own. */
  card?: ComponentProps<typeof Card> | false;
  /** Stand in the card, before and behind the form. */
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
  after?: ReactNode;
}

export function FormScreen({ notice, form, reply, requestId, encType, submit, children, ...parts }: FormScreenProps) {
  const { cancelTo, cancelLabel = 'Cancel', card = {}, above, below, after, showBackLink = true, ...header } = parts;
  const button = (
    <SubmitButton variant={submit.variant} pendingLabel={submit.pending}>
      {submit.label}
    </SubmitButton>
  );
  const fields = (
    <>
      {children}
      {cancelTo === undefined ? (
        button
      ) : (
        <Actions>
          {button}
          <ButtonLink to={cancelTo}>{cancelLabel}</ButtonLink>
        </Actions>
      )}
    </>
  );
  const posted = (
    <PostForm id={form.id} encType={encType} requestId={requestId}>
      {card ? fields : <Stack>{fields}</Stack>}
    </PostForm>
  );
  return (
    <Screen
      {...header}
      showBackLink={showBackLink}
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      {notice}
      {card ? (
        <Card {...card}>
          {above}
          {posted}
          {below}
        </Card>
      ) : (
        posted
      )}
      {after}
    </Screen>
  );
}

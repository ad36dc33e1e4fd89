import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink } from '../button.tsx';
import { Card } from '../card.tsx';
import { ErrorSummary } from '../forms/error-summary.tsx';
import { RequestId } from '../forms/hidden-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import { SubmitButton } from '../forms/submit-button.tsx';
import type { FormState } from '../hooks/use-form.ts';
import { useToast } from '../hooks/use-root-data.ts';
import { Actions } from '../layout.tsx';
import { Screen } from './screen.tsx';

interface FormScreenProps {
  title: string;
  subtitle?: string;
  badge?: ReactNode;
  notice?: ReactNode;
  form: FormState;
  reply: Parameters<typeof useToast>[0];
  requestId: ComponentProps<typeof RequestId>['value'];
  submit: { label: string; pending: string };
  cancelTo: string;
  children: ReactNode;
  after?: ReactNode;
}

export function FormScreen({ title, subtitle, badge, notice, children, ...parts }: FormScreenProps) {
  const { form, reply, requestId, submit, cancelTo } = parts;
  return (
    <Screen
      title={title}
      subtitle={subtitle}
      badge={badge}
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      {notice}
      <Card>
        <PostForm id={form.id}>
          <RequestId value={requestId} />
          {children}
          <Actions>
            <SubmitButton pendingLabel={submit.pending}>{submit.label}</SubmitButton>
            <ButtonLink to={cancelTo}>Cancel</ButtonLink>
          </Actions>
        </PostForm>
      </Card>
      {parts.after}
    </Screen>
  );
}

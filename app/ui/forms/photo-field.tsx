import type { ComponentProps } from 'react';
import { FileField } from './file-field.tsx';

interface PhotoFieldProps extends Omit<ComponentProps<typeof FileField>, 'accept' | 'capture' | 'multiple'> {
  isMultiple?: boolean;
}

export function PhotoField({ isMultiple, ...rest }: PhotoFieldProps) {
  return (
    <FileField {...rest} accept="image/*" capture={isMultiple ? undefined : 'environment'} multiple={isMultiple} />
  );
}

import type { ComponentProps } from 'react';
import { FileField } from './file-field.tsx';

interface PhotoFieldProps extends Omit<ComponentProps<typeof FileField>, 'accept' | 'capture' | 'multiple'> {
  /** True for several photos; a phone then offers its camera and its gallery. */
  isMultiple?: boolean;
}

/** A file input that opens the rear camera on a phone. */
export function PhotoField({ isMultiple, ...rest }: PhotoFieldProps) {
  return (
    <FileField {...rest} accept="image/*" capture={isMultiple ? undefined : 'environment'} multiple={isMultiple} />
  );
}

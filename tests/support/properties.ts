import fc from 'fast-check';
import { seed } from './cut-sample.ts';

fc.configureGlobal({ seed });

export { fc };

import { AppError } from '#app/domain/app-error.ts';
import { StartupError } from '#db/startup-error.ts';

/** What the domain refuses, as a command says it. */
export function inDomainWords<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? new StartupError(`${error.message}.`.replace(/([.!?])\.$/, '$1')) : error;
  });
}

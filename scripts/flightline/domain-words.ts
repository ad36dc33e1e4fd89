import { AppError } from '#app/domain/app-error.ts';
import { StartupError } from '#db/startup-error.ts';

/** Turns the domain's refusals into a command's sentences. */
export function inDomainWords<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? new StartupError(`${error.message}.`.replace(/([.!?])\.$/, '$1')) : error;
  });
}

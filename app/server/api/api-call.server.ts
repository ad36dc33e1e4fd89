import type { z } from 'zod';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { jsonResponse } from './api-responses.server.ts';
import { discardBody, readJson, withForm } from '../body/body.server.ts';
import { assertCredentials, requireApiUser } from './api-user.server.ts';
import {
  checkGuard,
  type Guard,
  type GuardedContext,
  lacksSecondFactor,
  type SchoolRequirement,
} from '../guard.server.ts';
import { parseBody } from '../parse.server.ts';

export interface ApiRequest {
  request: Request;
  params: Record<string, string | undefined>;
  url: URL;
  key: string | undefined;
}

type ApiResult = Promise<Response | object>;
export type ApiCallHandler = (call: ApiRequest) => ApiResult;

interface BodyOptions<Schema extends z.ZodType, Context> {
  body: Schema;
  limit?: number;
  tooLargeText?: string;
  created?: true;
  /** Checks existence and state first if the body is bad; otherwise `run` does so in its transaction. */
  precheck?: (context: Context & { body: unknown }) => Promise<unknown>;
  run: (context: Context & { input: z.output<Schema> }) => ApiResult;
}

type CallContext<School extends SchoolRequirement, Id extends string> = Omit<ApiRequest, 'params'> &
  GuardedContext<School, Id>;

export function authedCall<School extends SchoolRequirement = 'required', Id extends string = never>(
  options: Guard<School, Id> & { run: (context: CallContext<School, Id>) => ApiResult },
): ApiCallHandler {
  return async (call) => options.run(await authorizeCall(call, options));
}

/** Reads the body before the guard, so that a session or role that ends meanwhile counts; body errors come last. */
export function authedBodyCall<
  Schema extends z.ZodType,
  School extends SchoolRequirement = 'required',
  Id extends string = never,
>(options: Guard<School, Id> & BodyOptions<Schema, CallContext<School, Id>>): ApiCallHandler {
  return async (call) => {
    await refuseStranger(call.request);
    const readBody = await captureError(readJson(call.request, options.limit));
    const context = await authorizeCall(call, options);
    const body = 'error' in readBody ? undefined : readBody.value;
    let input: z.output<Schema>;
    try {
      if ('error' in readBody) throw readBody.error;
      input = parseBody(options.body, body);
    } catch (error) {
      if (error instanceof AppError && error.code === 'tooLarge' && options.tooLargeText) {
        throw new AppError('tooLarge', options.tooLargeText);
      }
      await options.precheck?.({ ...context, body });
      throw error;
    }
    const result = await options.run({ ...context, input });
    return options.created && !(result instanceof Response) ? jsonResponse(result, 201) : result;
  };
}

export function authedFormCall<School extends SchoolRequirement = 'required', Id extends string = never>(
  options: Guard<School, Id> & {
    limit?: number;
    run: (context: CallContext<School, Id> & { form: FormData }) => ApiResult;
  },
): ApiCallHandler {
  return async (call) => {
    await refuseStranger(call.request);
    return withForm(call.request, options.limit, async (form) =>
      options.run({ ...(await authorizeCall(call, options)), form }),
    );
  };
}

export function publicBodyCall<Schema extends z.ZodType>(options: {
  body: Schema;
  run: (context: ApiRequest & { input: z.output<Schema> }) => ApiResult;
}): ApiCallHandler {
  return async (call) => options.run({ ...call, input: parseBody(options.body, await readJson(call.request)) });
}

/** Finds the caller and runs the guard. Throws 'unauthorized' without a session, and as the guard does. */
export async function authorizeCall<School extends SchoolRequirement = 'required', Id extends string = never>(
  call: ApiRequest,
  guard: Guard<School, Id>,
): Promise<CallContext<School, Id>> {
  const actor: Actor = await requireApiUser(call.request, guard.acceptsFlyingToken === true);
  if (lacksSecondFactor(guard, actor)) throw new AppError('forbidden', texts.secondFactorNeeded);
  return { ...call, ...checkGuard(guard, actor, call.params) };
}

// The check comes first, because bodies of strangers are not kept in memory.
async function refuseStranger(request: Request): Promise<void> {
  try {
    await assertCredentials(request);
  } catch (error) {
    await discardBody(request);
    throw error;
  }
}

// The body error waits until the guard has passed.
async function captureError<Value>(work: Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

import type { Facts } from './facts.ts'
import type { OperationRequest } from './request.ts'

/** Whether the step before ended by *continue*, and nothing has been asked for since. */
export const isResumed = (
  { step, generation, lastOperation }: Facts,
  request: OperationRequest | undefined,
): boolean =>
  step?.phase === 'waiting' &&
  lastOperation?.state === 'Processing' &&
  step.generation === generation &&
  (request === undefined || request.id === step.request)

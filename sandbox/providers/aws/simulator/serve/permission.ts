import type { Caller } from '../accounts/authenticate.ts'
import { isAllowed } from '../accounts/key-ring.ts'
import type { WireError } from '../codec/wire-error.ts'
import { type Call, type PermissionQuestion, type Service, ServiceError } from '../service.ts'

type Input = Readonly<Record<string, unknown>>

/** The permission of a caller for one call. */
export interface Permission extends Pick<Call<object>, 'may' | 'shared'> {
  /** Returns the error of a caller without the permission. */
  denied(): WireError
}

/**
 * Returns the permission for a call.
 *
 * @throws AwsError in the service's words if the caller lacks it
 */
export const permissionFor = (
  service: Service<object>,
  operation: string,
  input: Input,
  { principal, allow }: Caller,
  question: PermissionQuestion<object>,
): Permission => {
  const { refusals, resourcePolicy, resourceOf, actionsOf, unguarded } = service
  const judge = (action: string, on: Input) => {
    const word = resourcePolicy?.(action, on, question)
    return { action, word, may: word === 'allow' || (word !== 'deny' && isAllowed(action, allow)) }
  }
  const name = `${service.model.name}:${operation}`
  const needed = unguarded?.includes(operation) ? [] : (actionsOf?.(operation, input) ?? [name])
  const judged = needed.map(action => judge(action, input))
  const denied = (action: string, why: 'not allowed' | 'denied by the resource' = 'not allowed') =>
    refusals.accessDenied(principal, action, resourceOf?.(operation, input), why)
  const missing = judged.find(({ may }) => !may)
  if (missing !== undefined) {
    const why = missing.word === 'deny' ? 'denied by the resource' : 'not allowed'
    throw new ServiceError(denied(missing.action, why))
  }
  return {
    may: (action, on) => judge(action, on).may,
    shared: judged.length > 0 && judged.every(({ word }) => word === 'share'),
    denied: () => denied(needed[0] ?? name),
  }
}

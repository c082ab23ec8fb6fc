import { CodedError } from '../../contract/errors.ts'
import { parseObject } from '../../contract/parse.ts'
import { formatProblems } from '../../contract/problems.ts'
import type { KubernetesObject } from '../../kubernetes/port.ts'
import type { Secret } from '../actuator.ts'
import { kindRules } from '../decide/kind-rules.ts'
import { readSecret, secretRefOf } from './read-secret.ts'
import type { StepDeps } from './step.ts'

/** What a step finds out before it claims an object. */
export interface ObjectCheck {
  /** The Secret of `spec.secretRef`; undefined: there is none, it is no good, or it is read later. */
  readonly secret: Secret | undefined
  /**
   * Why nothing can be made for the object: it breaks its schema, its Secret is missing or malformed, or the actuator's
   * own check says so. Such an object is left untouched but for its status.
   */
  readonly problem: CodedError | undefined
}

/**
 * Looks at the object and its Secret. A kind that guards its Secret reads it only once it has its own finalizer
 * (docs/contract/lifecycle.md#create-and-reconcile). The actuator's check runs before something is made, not before
 * it is deleted.
 *
 * Throws what the Kubernetes port throws.
 */
export const checkObject = async (
  { kubernetes, backend }: StepDeps,
  object: KubernetesObject,
  operation: 'reconcile' | 'delete' | 'migrate' | 'restore',
  signal: AbortSignal,
): Promise<ObjectCheck> => {
  let secret: Secret | undefined
  try {
    const parsed = parseObject(backend.kind, object)
    if (!parsed.ok)
      throw new CodedError(formatProblems(parsed.problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
    const ref = secretRefOf(object)
    if (ref !== undefined && !kindRules[backend.kind].keepsSecretFinalizer) {
      secret = await readSecret(kubernetes, ref, signal)
    }
    if (operation === 'reconcile' || operation === 'restore') {
      await backend.actuator.check?.({ object: parsed.object, secret })
    }
    return { secret, problem: undefined }
  } catch (error) {
    if (error instanceof CodedError) return { secret, problem: error }
    throw error
  }
}

import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export interface ReadyCondition {
  readonly status: string
  readonly reason: string
  readonly message: string
  /** The generation that its writer has seen, if it says so. */
  readonly observedGeneration?: number
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const conditionOf = ({ status }: KubernetesObject, type: string): ReadyCondition | undefined => {
  const found = listOf(recordOf(status).conditions)
    .map(recordOf)
    .find(condition => condition.type === type)
  return (
    found && {
      status: stringOf(found.status),
      reason: stringOf(found.reason),
      message: stringOf(found.message),
      ...(typeof found.observedGeneration === 'number' && { observedGeneration: found.observedGeneration }),
    }
  )
}

/** Returns the text of a condition on one line: `RevisionFailed: image pull failed`. */
export const conditionText = (condition: ReadyCondition | undefined): string => {
  if (condition === undefined) return 'it has no condition Ready yet; its controller may not be running'
  const [message = ''] = condition.message.split('\n')
  return [condition.reason, message].filter(part => part !== '').join(': ') || `Ready is ${condition.status}`
}

/**
 * Returns why a status says nothing of the present object: it is being deleted, or its controller has not seen the last
 * change. Returns undefined if the status is current, as far as the object says.
 */
export const whyStale = (
  { metadata: { deletionTimestamp, generation }, status }: KubernetesObject,
  condition?: ReadyCondition,
): string | undefined => {
  if (deletionTimestamp !== undefined) return `it is being deleted since ${deletionTimestamp}`
  const observed = [recordOf(status).observedGeneration, condition?.observedGeneration].filter(
    seen => typeof seen === 'number',
  )
  const oldest = Math.min(...observed)
  return generation !== undefined && oldest < generation
    ? `its controller has not seen the last change (generation ${generation}, seen ${oldest}); it may not be running`
    : undefined
}

/**
 * Returns why an object is not ready, on one line; undefined if it is. A condition that is True counts only if it is of
 * the present generation of an object that is not being deleted.
 */
export const whyNotReady = (object: KubernetesObject, type = 'Ready'): string | undefined => {
  const condition = conditionOf(object, type)
  const stale = whyStale(object, condition)
  if (stale !== undefined) return stale
  return condition?.status === 'True' ? undefined : conditionText(condition)
}

import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** A condition of a Knative or Kubernetes object. */
export interface ReadyCondition {
  readonly status: string
  readonly reason: string
  readonly message: string
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the condition of a type; undefined if the object has none. */
export const conditionOf = ({ status }: KubernetesObject, type: string): ReadyCondition | undefined => {
  const found = listOf(recordOf(status).conditions)
    .map(recordOf)
    .find(condition => condition.type === type)
  return (
    found && {
      status: stringOf(found.status),
      reason: stringOf(found.reason),
      message: stringOf(found.message),
    }
  )
}

/** Returns why an object is not ready, on one line: `RevisionFailed: image pull failed`. */
export const whyNotReady = (condition: ReadyCondition | undefined): string => {
  if (condition === undefined) return 'it has no condition Ready yet; its controller may not be running'
  const [message = ''] = condition.message.split('\n')
  return [condition.reason, message].filter(part => part !== '').join(': ') || `Ready is ${condition.status}`
}

export const isReady = (object: KubernetesObject, type = 'Ready'): boolean =>
  conditionOf(object, type)?.status === 'True'

import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { valueAt as ownAt } from '../../../decode/record-of.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { WebhookDefinition } from '../admission.ts'

/** The changes of an object: values by the path of their fields, `spec.region`, `metadata.labels`. */
export type Otherwise = Readonly<Record<string, unknown>>

/**
 * Returns a copy of the object with some fields changed; undefined removes a field. List items are addressed by index:
 * `workers.0.zones`.
 */
export const withOther = (object: KubernetesObject, other: Otherwise = {}): KubernetesObject => {
  const copy = structuredClone(object)
  for (const [path, value] of Object.entries(other)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let inner: object = copy
    for (const name of names) {
      if (typeof Reflect.get(inner, name) !== 'object') Reflect.set(inner, name, {})
      inner = Reflect.get(inner, name) as object
    }
    if (value === undefined) Reflect.deleteProperty(inner, last)
    else Reflect.set(inner, last, structuredClone(value))
  }
  return copy
}

export interface Answered {
  readonly allowed: boolean
  readonly message: string
  readonly object: KubernetesObject
  readonly warnings: readonly string[]
}

export interface Given {
  readonly old?: KubernetesObject
  readonly garden?: readonly KubernetesObject[]
}

/** Returns a function that sends a new object to a webhook, or an update of an old one. @param usual the objects of the garden */
export const play =
  (definition: WebhookDefinition, usual: readonly KubernetesObject[]) =>
  async (object: KubernetesObject, { old, garden = usual }: Given = {}): Promise<Answered> => {
    const input =
      old === undefined
        ? ({ operation: 'CREATE', object } as const)
        : ({ operation: 'UPDATE', object, oldObject: old } as const)
    const { message = '', ...answered } = await sendReview(definition, input, { objects: garden })
    return { ...answered, message }
  }

export const valueAt = (object: unknown, path: string): unknown => ownAt(object, ...path.split('.'))

import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { Lookup } from '../../shared/webhooks/admission/admission.ts'
import { labelSelector as selectorOf } from '../kubernetes/kubernetes.ts'

/** Looks up objects in a list, by kind (`Policy` → `policies`), namespace, name and labels. */
export const lookupIn = (objects: readonly KubernetesObject[]): Lookup => ({
  get: async ({ plural }, { namespace, name }) =>
    objects.find(
      ({ kind, metadata }) =>
        isPlural(kind, plural) && metadata.namespace === namespace && metadata.name === name,
    ),
  list: async ({ plural }, { namespace, labelSelector } = {}) => ({
    resourceVersion: '1',
    items: objects
      .filter(
        ({ kind, metadata }) =>
          isPlural(kind, plural) && (namespace === undefined || metadata.namespace === namespace),
      )
      .filter(selectorOf(labelSelector ?? '')),
  }),
})

const isPlural = (kind: string, plural: string): boolean => pluralsOf(kind).includes(plural)

/** Returns the possible plurals of a kind in English, the likeliest first. */
export const pluralsOf = (kind: string): readonly [string, ...string[]] => {
  const name = kind.toLowerCase()
  if (name.endsWith('y')) return [`${name.slice(0, -1)}ies`, `${name}s`]
  return name.endsWith('s') ? [`${name}es`, `${name}s`] : [`${name}s`, `${name}es`]
}

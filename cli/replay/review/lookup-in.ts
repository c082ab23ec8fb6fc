import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Lookup } from '../../../shared/webhooks/admission/admission.ts'

/** Looks up objects in a list, by kind (`Policy` → `policies`), namespace, name and labels. */
export const lookupIn = (objects: readonly KubernetesObject[]): Lookup => ({
  get: async ({ plural }, { namespace, name }) =>
    objects.find(
      ({ kind, metadata }) =>
        isPlural(kind, plural) && metadata.namespace === namespace && metadata.name === name,
    ),
  list: async ({ plural }, { namespace, labelSelector } = {}) => ({
    resourceVersion: '1',
    items: objects.filter(
      ({ kind, metadata }) =>
        isPlural(kind, plural) &&
        (namespace === undefined || metadata.namespace === namespace) &&
        (labelSelector ?? '')
          .split(',')
          .filter(term => term !== '')
          .every(term => {
            const [label = '', value] = term.split('=')
            return metadata.labels?.[label] === value
          }),
    ),
  }),
})

const isPlural = (kind: string, plural: string): boolean => {
  const name = kind.toLowerCase()
  return [`${name}s`, `${name}es`, name.replace(/y$/, 'ies')].includes(plural)
}

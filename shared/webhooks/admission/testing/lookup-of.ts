import { KubernetesError, type KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { Lookup } from '../review.ts'

/** Looks up objects in a list, by kind (`Policy` → `policies`), namespace, name and labels. */
export const lookupOf = (objects: readonly KubernetesObject[]): Lookup => ({
  get: async ({ plural }, { namespace, name }) =>
    objects.find(
      object =>
        pluralOf(object.kind) === plural &&
        object.metadata.namespace === namespace &&
        object.metadata.name === name,
    ),
  list: async ({ plural }, { namespace, labelSelector } = {}) => ({
    resourceVersion: '1',
    items: objects.filter(
      ({ kind, metadata }) =>
        pluralOf(kind) === plural &&
        (namespace === undefined || metadata.namespace === namespace) &&
        (labelSelector === undefined || hasLabels(metadata.labels ?? {}, labelSelector)),
    ),
  }),
})

/** An unavailable API server. */
export const brokenLookup: Lookup = {
  get: () => Promise.reject(new KubernetesError(500, 'InternalError', 'etcd is away')),
  list: () => Promise.reject(new KubernetesError(500, 'InternalError', 'etcd is away')),
}

export const pluralOf = (kind: string): string => {
  const name = kind.toLowerCase()
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : name.endsWith('s') ? `${name}es` : `${name}s`
}

/** `a=b,c=d` */
const hasLabels = (labels: Readonly<Record<string, string>>, selector: string): boolean =>
  selector.split(',').every(term => {
    const [name = '', value] = term.split('=')
    return labels[name] === value
  })

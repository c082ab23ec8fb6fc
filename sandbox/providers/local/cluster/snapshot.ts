import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { type Store, storeKey } from '../../../kubernetes/kubernetes.ts'

/** The kinds that functions store in a provider cluster, with their collections. */
const held = {
  Namespace: 'namespaces',
  IPPool: 'ippools.crd.projectcalico.org',
  NetworkPolicy: 'networkpolicies.networking.k8s.io',
  Secret: 'secrets',
  Pod: 'pods',
  Service: 'services',
  EndpointSlice: 'endpointslices.discovery.k8s.io',
} as const

const systemNamespaces = new Set(['default', 'kube-node-lease', 'kube-public', 'kube-system'])

const isOwn = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Namespace' && systemNamespaces.has(metadata.name)

export const snapshotOf = (store: Store): readonly KubernetesObject[] =>
  Object.values(held).flatMap(collection =>
    store
      .collection(collection)
      .list()
      .map(({ object }) => object)
      .filter(object => !isOwn(object)),
  )

/** Throws a `TypeError` for an object of an unknown kind. */
export const restoreTo = (store: Store, objects: readonly KubernetesObject[]): void => {
  for (const object of objects) {
    const collection = Object.entries(held).find(([kind]) => kind === object.kind)?.[1]
    if (collection === undefined) throw new TypeError(`a provider cluster does not support ${object.kind}`)
    const { namespace, name } = object.metadata
    store.collection(collection).put(storeKey(namespace, name), object)
  }
}

import { apiVersion, labels } from '../../shared/contract/constants.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { omittedAnnotation } from '../../shared/events/build.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { KubernetesObject, Resource } from '../../shared/kubernetes/port.ts'
import { secretRefOf, secrets } from '../../shared/lifecycle/secret-of.ts'

const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

export type Placed = readonly [Resource, KubernetesObject]

/**
 * What a function finds beside the object of an event: the namespace, of a shoot unless the object's class is
 * another, with its Cluster, and a made-up Secret for `spec.secretRef`. The Cluster is the one of `beside`, else a
 * minimal one.
 */
export const surroundingsOf = (
  event: ExtensionEvent,
  object: KubernetesObject,
  beside: readonly KubernetesObject[] = [],
): readonly Placed[] => {
  const { namespace, extclass } = event
  const ref = secretRefOf(object)
  const cluster = beside.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === namespace)
  return [
    ...(namespace === undefined ? [] : [namespaceOf(namespace, extclass === 'shoot')]),
    ...(namespace !== undefined && extclass === 'shoot'
      ? [cluster === undefined ? clusterNamed(namespace) : ([clusterKind.resource, cluster] as const)]
      : []),
    ...(ref === undefined ? [] : [secretNamed(ref.name, ref.namespace)]),
  ]
}

/** The object as it was when the event was sent, without what the event itself added. */
export const objectOf = (data: KubernetesObject): KubernetesObject => {
  const { [omittedAnnotation]: _, ...annotations } = data.metadata.annotations ?? {}
  return data.metadata.annotations === undefined
    ? data
    : { ...data, metadata: { ...data.metadata, annotations } }
}

/** The parts of the object that the event was too large for: `status.state`. */
export const omittedParts = (data: KubernetesObject | undefined): readonly string[] =>
  (data?.metadata.annotations?.[omittedAnnotation] ?? '').split(',').filter(part => part !== '')

const namespaceOf = (name: string, ofShoot: boolean): Placed => [
  namespaces,
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(ofShoot && { labels: { [labels.role]: 'shoot' } }) },
  },
]

const clusterNamed = (name: string): Placed => [
  clusterKind.resource,
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name },
    spec: {
      cloudProfile: {},
      seed: {},
      shoot: { status: { technicalID: name, lastOperation: { type: 'Reconcile', state: 'Processing' } } },
    },
  },
]

/** The simulated AWS accepts any credentials. */
const secretNamed = (name: string, namespace: string): Placed => [
  secrets,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: { accessKeyID: btoa('AKIAREPLAY0000000000'), secretAccessKey: btoa('made-up-by-trellis-replay') },
  },
]

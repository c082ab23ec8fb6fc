import type { V1Namespace, V1Secret } from '@kubernetes/client-node'
import type { MadeUpCluster, Provider } from '../../sandbox/providers/provider.ts'
import { parseEntryName } from '../../shared/backup-entry/backup-entry.ts'
import { apiVersion, labels } from '../../shared/contract/constants.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { omittedAnnotation } from '../../shared/events/events.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject, Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { credentialsRefOf, secrets } from '../../shared/lifecycle/lifecycle.ts'

export type RelatedObject = readonly [GroupVersionResource, KubernetesObject]

/**
 * Returns the objects that a function reads beside the object of an event: the namespace (of a shoot unless the object
 * has another class) with its Cluster (for a BackupEntry only the namespace), a Secret for `spec.secretRef` with
 * made-up credentials, the Secrets with the user data of a Worker's pools, and those with the files of an
 * OperatingSystemConfig. The Cluster is the one in `beside`, else one built from the object's status and the provider's
 * defaults. Secrets in `beside` go before those with made-up values.
 */
export const relatedObjectsOf = (
  event: ExtensionEvent,
  object: KubernetesObject,
  beside: readonly KubernetesObject[] = [],
  { credentials, cluster: madeUp }: Pick<Provider, 'credentials' | 'cluster'> = { credentials: {} },
): readonly RelatedObject[] => {
  const { namespace, extclass } = event
  const ref = credentialsRefOf(object)
  const cluster = beside.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === namespace)
  return [
    ...(namespace === undefined ? [] : [namespaceOf(namespace, extclass === 'shoot')]),
    ...(namespace !== undefined && extclass === 'shoot'
      ? [
          cluster === undefined
            ? clusterNamed(namespace, object, madeUp)
            : ([clusterKind.resource, cluster] as const),
        ]
      : []),
    ...(event.kind === 'BackupEntry' ? [namespaceOf(parseEntryName(event.name).technicalId, true)] : []),
    ...(ref === undefined
      ? []
      : [
          // The namespace of a seed's own objects, because objects beside the Secret need it.
          ...(ref.namespace === namespace ? [] : [namespaceOf(ref.namespace, false)]),
          secretNamed(ref.name, ref.namespace, credentials),
        ]),
    ...userDataOf(object),
    ...fileSecretsOf(object),
    // The given Secrets replace those with made-up values.
    ...beside.filter(({ kind }) => kind === 'Secret').map(secret => [secrets, secret] as const),
  ]
}

/** Returns the Secrets with the user data of a Worker's machines. */
const userDataOf = ({ metadata: { namespace = '' }, spec }: KubernetesObject): readonly RelatedObject[] => {
  const { pools } = (spec ?? {}) as {
    readonly pools?: readonly {
      readonly userDataSecretRef?: { readonly name?: string; readonly key?: string }
    }[]
  }
  return (Array.isArray(pools) ? pools : []).flatMap(({ userDataSecretRef: { name, key } = {} }) =>
    name === undefined || key === undefined
      ? []
      : [secretNamed(name, namespace, { [key]: 'made-up-by-trellis-replay' })],
  )
}

/** Returns the Secrets with the file contents of an OperatingSystemConfig. */
const fileSecretsOf = ({
  metadata: { namespace = '' },
  spec,
}: KubernetesObject): readonly RelatedObject[] => {
  const { files } = (spec ?? {}) as {
    readonly files?: readonly {
      readonly content?: { readonly secretRef?: { readonly name?: string; readonly dataKey?: string } }
    }[]
  }
  const named = (Array.isArray(files) ? files : []).flatMap(file => {
    const { name, dataKey } = file?.content?.secretRef ?? {}
    return name === undefined || dataKey === undefined ? [] : [{ name, dataKey }]
  })
  return [...Map.groupBy(named, ({ name }) => name)].map(([name, keys]) =>
    secretNamed(
      name,
      namespace,
      Object.fromEntries(keys.map(({ dataKey }) => [dataKey, 'made-up-by-trellis-replay'])),
    ),
  )
}

/** Returns the object at the time of the event, without the parts that the event added. */
export const objectOf = (data: KubernetesObject): KubernetesObject => {
  const { [omittedAnnotation]: _, ...annotations } = data.metadata.annotations ?? {}
  return data.metadata.annotations === undefined
    ? data
    : { ...data, metadata: { ...data.metadata, annotations } }
}

/** Returns the parts that the event omitted because of its size: `status.state`. */
export const omittedParts = (data: KubernetesObject | undefined): readonly string[] =>
  (data?.metadata.annotations?.[omittedAnnotation] ?? '').split(',').filter(part => part !== '')

const namespaceOf = (name: string, ofShoot: boolean): RelatedObject => [
  namespaces,
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(ofShoot && { labels: { [labels.role]: 'shoot' } }) },
  } satisfies Rendered<V1Namespace>,
]

/** Returns the Cluster of a shoot if only the object is known. */
export const clusterNamed = (
  name: string,
  object: KubernetesObject,
  madeUp: MadeUpCluster | undefined,
): RelatedObject => [
  clusterKind.resource,
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name },
    spec: {
      cloudProfile: { ...(madeUp && { spec: madeUp.cloudProfile }) },
      seed: {},
      shoot: {
        spec: {
          ...(madeUp && { region: madeUp.region, kubernetes: { version: madeUp.kubernetesVersion } }),
          ...networkingOf(object, madeUp?.networking),
        },
        status: { technicalID: name, lastOperation: { type: 'Reconcile', state: 'Processing' } },
      },
    },
  },
]

/** Returns the networks of the shoot from the status of an Infrastructure; else the given ones. */
const networkingOf = ({ status }: KubernetesObject, otherwise: object | undefined): object => {
  const { networking } = (status ?? {}) as { readonly networking?: Readonly<Record<string, unknown>> }
  const ranges = Object.entries(networking ?? {}).flatMap(([part, list]) => {
    const cidrs: readonly unknown[] = Array.isArray(list) ? list : []
    return cidrs.filter(cidr => typeof cidr === 'string').map(cidr => [part, cidr] as const)
  })
  if (ranges.length === 0) return otherwise === undefined ? {} : { networking: otherwise }
  const isSix = (cidr: string) => cidr.includes(':')
  const ipFamilies = ['IPv4', 'IPv6'].filter(family =>
    ranges.some(([, cidr]) => isSix(cidr) === (family === 'IPv6')),
  )
  // A shoot has one range per part; the cloud assigns those of the second family.
  const given = Object.fromEntries(ranges.filter(([, cidr]) => !isSix(cidr)))
  return { networking: { ipFamilies, ...given } }
}

const secretNamed = (
  name: string,
  namespace: string,
  credentials: Readonly<Record<string, string>>,
): RelatedObject => [
  secrets,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(credentials).map(([key, value]) => [key, btoa(value)])),
  } satisfies Rendered<V1Secret>,
]

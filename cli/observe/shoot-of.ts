import { isShootFailed } from '../../bridge/bridge.ts'
import { isKindName } from '../../shared/contract/kinds.ts'
import { pauseOf } from '../../shared/contract/pause.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { StepEntry } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { ShootOfObject } from './outlook.ts'
import { ofKind, type SeedView, viewIdOf } from './seed-view.ts'

/** Gardener's prefix of the namespaces of shoots in a seed. */
const technicalPrefix = 'shoot--'

/** The facts of a shoot in its Cluster. */
export interface ObservedShoot {
  /** The namespace in the seed: `shoot--garden--rose`. */
  readonly technical: string
  /** `garden-dev/rose`; the technical name without a Cluster. */
  readonly name: string
  readonly uid: string
  readonly cluster: KubernetesObject | undefined
  readonly spec: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>>
  readonly isDeleting: boolean
}

/** Reads the facts of a shoot from its Cluster. Never throws. */
export const shootFactsOf = (technical: string, cluster: KubernetesObject | undefined): ObservedShoot => {
  const shoot = recordOf(recordOf(cluster?.spec).shoot)
  const { name, namespace, uid, deletionTimestamp } = recordOf(shoot.metadata)
  const status = recordOf(shoot.status)
  const named = [stringOf(namespace), stringOf(name)].filter(part => part !== '').join('/')
  return {
    technical,
    name: named || technical,
    uid: stringOf(status.uid) || stringOf(uid),
    cluster,
    spec: recordOf(shoot.spec),
    status,
    isDeleting: typeof deletionTimestamp === 'string',
  }
}

/** Names of Kubernetes. A recording may have others, which kubectl could take for a flag such as `--server`. */
const plainNames = /^([a-z0-9][a-z0-9.-]*)\/([a-z0-9][a-z0-9.-]*)$/

/** Returns the command that retries a failed shoot. Undefined without a Cluster, which has its names. */
export const retryCommand = ({ name }: Pick<ObservedShoot, 'name'>): string | undefined => {
  const [, namespace, shoot] = plainNames.exec(name) ?? []
  return (
    shoot && `kubectl -n ${namespace} annotate shoot ${shoot} gardener.cloud/operation=retry # in the garden`
  )
}

/** Returns the same after a sentence; without a Cluster, the annotation. */
export const retryText = (shoot: Pick<ObservedShoot, 'name'>): string => {
  const command = retryCommand(shoot)
  return command === undefined ? ' (gardener.cloud/operation=retry on the Shoot)' : `: ${command}`
}

export const clusterOfShoot = (
  view: Pick<SeedView, 'objects'>,
  technical: string,
): KubernetesObject | undefined => ofKind(view, 'Cluster').find(({ metadata }) => metadata.name === technical)

/** Returns true for a namespace of a shoot: it has a Cluster, or a name like one. */
const isShootNamespace = (view: Pick<SeedView, 'objects'>, namespace: string): boolean =>
  namespace.startsWith(technicalPrefix) || clusterOfShoot(view, namespace) !== undefined

/** Returns the namespace of the shoot that an object belongs to; undefined for an object of the seed. */
export const shootNamespaceOf = (
  view: Pick<SeedView, 'objects'>,
  { kind, metadata: { namespace, name } }: KubernetesObject,
): string | undefined => {
  if (namespace !== undefined) return isShootNamespace(view, namespace) ? namespace : undefined
  if (kind !== 'BackupEntry') return undefined
  // `<technical id>--<uid>`, or `source-…` for a restore (docs/contract/kinds.md).
  const end = name.lastIndexOf('--')
  const isEntry = end > 0 && /^[0-9a-f-]{8,}$/.test(name.slice(end + 2))
  const technical = isEntry ? name.slice(name.startsWith('source-') ? 'source-'.length : 0, end) : undefined
  return technical !== undefined && isShootNamespace(view, technical) ? technical : undefined
}

/** Returns the shoot of an object's namespace. Without the right to read Clusters, no shoot counts as failed. */
export const shootOfObject = (
  view: SeedView,
  { metadata: { namespace } }: KubernetesObject,
): ShootOfObject | undefined => {
  if (namespace === undefined || !isShootNamespace(view, namespace)) return undefined
  const cluster = clusterOfShoot(view, namespace)
  if (cluster === undefined && !view.clustersRead) return { isFailed: false }
  const isFailed = cluster && isShootFailed(cluster)
  const retry = isFailed ? retryCommand(shootFactsOf(namespace, cluster)) : undefined
  return { isFailed, pause: cluster && pauseOf(cluster.metadata), ...(retry && { retry }) }
}

/** Returns the extension objects of a shoot. */
export const extensionsOf = (view: SeedView, technical: string): readonly KubernetesObject[] =>
  view.objects.filter(object => isKindName(object.kind) && shootNamespaceOf(view, object) === technical)

/** Returns the recorded steps of a shoot, also of objects that are gone. */
export const stepsOf = (view: SeedView, technical: string): readonly StepEntry[] => {
  const ids = new Set(extensionsOf(view, technical).map(viewIdOf))
  return (view.steps ?? []).filter(({ object }) => ids.has(object) || object.includes(` ${technical}/`))
}

/** Returns the namespaces of all shoots in a view. */
export const shootsIn = (view: SeedView): readonly string[] => [
  ...new Set(
    view.objects.flatMap(object =>
      object.kind === 'Cluster' ? [object.metadata.name] : (shootNamespaceOf(view, object) ?? []),
    ),
  ),
]

import type { Clock } from '../../../shared/clock/clock.ts'
import { clusterKind, isKindName, type KindName, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { recordOf, recordsOf } from '../../../shared/decode/record-of.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { pluralTitle } from '../../../shared/text/plural-title.ts'
import type { SeedView } from '../seed-view.ts'
import { type ObservedShoot, shootFactsOf } from '../shoot-of.ts'
import { noShoot } from './find-shoot.ts'
import { type KindRead, readKind, unreadOf } from './read-kinds.ts'
import { withServed } from './with-served.ts'

export interface ReadShootOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly clock: Pick<Clock, 'now'>
  /** The namespace of the shoot in the seed. */
  readonly technical: string
  /**
   * `all`: every kind that a shoot can have. `extensions`: no machines and ManagedResources. Default: both, without the
   * kinds that few shoots have, so that at most `mostRequests` are sent.
   */
  readonly part?: 'all' | 'extensions'
  readonly signal: AbortSignal
}

/** The most requests for one shoot, without one for the bridges: many readers must not disturb an API server. */
const mostRequests = 12

/**
 * Reads a shoot: its Cluster first, which says which kinds the shoot can have, and then one list of each kind, at the
 * same time. Throws a `UsageError` if the seed has nothing of the shoot.
 */
export const readShoot = async (options: ReadShootOptions): Promise<SeedView> => {
  const { kubernetes, clock, technical, part, signal } = options
  const cluster = await readKind(
    kubernetes,
    {
      kind: 'Cluster',
      title: 'Clusters',
      resource: clusterKind.resource,
      fieldSelector: `metadata.name=${technical}`,
    },
    signal,
  )
  const wanted = readsOf(shootFactsOf(technical, cluster.objects[0]), part !== undefined).filter(
    ({ kind }) => part !== 'extensions' || isKindName(kind),
  )
  const chosen = part === undefined ? wanted.slice(0, mostRequests - 1) : wanted
  const reads = [cluster, ...(await Promise.all(chosen.map(read => readKind(kubernetes, read, signal))))]
  const objects = reads.flatMap(({ objects }) => objects)
  const unread = [...new Set(unreadOf(reads))]
  if (objects.length === 0 && unread.length === 0) throw noShoot(technical)
  const view: SeedView = {
    at: clock.now(),
    objects,
    clustersRead: cluster.missing === undefined,
    steps: undefined,
    missing: [
      ...new Set(reads.flatMap(({ missing }) => missing ?? [])),
      ...wanted.slice(chosen.length).map(({ title }) => `${title}: not read; --all reads them`),
    ],
    unread,
  }
  return withServed(view, kubernetes, signal)
}

/**
 * Returns the lists of a shoot, the least important last. A kind that the Cluster excludes has none.
 *
 * @param withSource true: also the entry from which a shoot that moves to this seed is restored
 */
const readsOf = (shoot: ObservedShoot, withSource: boolean): readonly KindRead[] => {
  const { technical, uid, cluster, spec } = shoot
  const pools = recordsOf(recordOf(spec.provider).workers)
  // Without a Cluster, the shoot can have every kind.
  const mayHave = (value: boolean) => cluster === undefined || value
  const own = (kind: KindName): KindRead => ({
    kind,
    title: pluralTitle(kind),
    resource: kinds[kind].resource,
    namespace: technical,
  })
  const machine = (kind: 'MachineDeployment' | 'Machine'): KindRead => ({
    kind,
    title: `${kind}s`,
    resource: machineKinds[kind].resource,
    namespace: technical,
  })
  const backup = recordOf(recordOf(recordOf(cluster?.spec).seed).spec).backup
  return [
    own('Infrastructure'),
    own('DNSRecord'),
    own('ControlPlane'),
    own('Extension'),
    own('OperatingSystemConfig'),
    own('Network'),
    own('Worker'),
    {
      kind: 'ManagedResource',
      title: 'ManagedResources',
      resource: managedResourceKind.resource,
      namespace: technical,
    },
    machine('MachineDeployment'),
    machine('Machine'),
    ...(uid !== '' && mayHave(backup != null)
      ? [technical, ...(withSource ? [`source-${technical}`] : [])].map(name => backupEntryOf(name, uid))
      : []),
    ...(mayHave(pools.some(({ cri }) => recordOf(cri).containerRuntimes != null))
      ? [own('ContainerRuntime')]
      : []),
    own('Bastion'),
    ...(mayHave(pools.some(({ controlPlane }) => controlPlane != null))
      ? [own('SelfHostedShootExposure')]
      : []),
  ]
}

/** The entry of a shoot is not in its namespace; gardenlet names it so. */
const backupEntryOf = (shoot: string, uid: string): KindRead => ({
  kind: 'BackupEntry',
  title: 'BackupEntries',
  resource: kinds.BackupEntry.resource,
  fieldSelector: `metadata.name=${shoot}--${uid}`,
})

import type { Clock } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { clusterKind, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { pluralTitle } from '../../../shared/text/plural-title.ts'
import type { SeedView } from '../seed-view.ts'
import { type KindRead, readKind, unreadOf } from './read-kinds.ts'
import { withServed } from './with-served.ts'

export interface ObserveSeedOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly clock: Pick<Clock, 'now'>
  readonly signal: AbortSignal
}

/** Reads the extension objects and Clusters of a seed, one list of each kind, at the same time. */
export const readSeed = async ({ kubernetes, clock, signal }: ObserveSeedOptions): Promise<SeedView> => {
  const clusters: KindRead = {
    kind: 'Cluster',
    title: 'Clusters',
    resource: clusterKind.resource,
    reduce: reducedCluster,
  }
  const extensions = kindNames.map(
    (kind): KindRead => ({ kind, title: pluralTitle(kind), resource: kinds[kind].resource }),
  )
  const all = await Promise.all([clusters, ...extensions].map(read => readKind(kubernetes, read, signal)))
  const view: SeedView = {
    at: clock.now(),
    objects: all.flatMap(({ objects }) => objects),
    clustersRead: all[0]?.missing === undefined,
    steps: undefined,
    missing: all.flatMap(({ missing }) => missing ?? []),
    unread: unreadOf(all),
  }
  return withServed(view, kubernetes, signal)
}

/** A Cluster contains a whole CloudProfile. Only the facts of the shoot and its pause are needed. */
const reducedCluster = ({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject => {
  const { metadata: shoot, status } = recordOf(recordOf(spec).shoot)
  const pause = metadata.annotations?.[annotations.pause]
  return {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(metadata.uid !== undefined && { uid: metadata.uid }),
      ...(pause !== undefined && { annotations: { [annotations.pause]: pause } }),
    },
    spec: { shoot: { metadata: shoot, status } },
  }
}

import { provider } from '../../../../sandbox/providers/local/provider.ts'
import { simulateLocal } from '../../../../sandbox/providers/local/simulate.ts'
import { localContents } from '../../../../sandbox/providers/local/simulation/local-contents.ts'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { countedBytes } from './counted-bytes.ts'
import type { WalkCloud } from './walk-cloud.ts'

/** The provider cluster, as the Infrastructure of the object's shoot left it, and its name server. */
export const localCloud = (clock: VirtualClock, objects: readonly KubernetesObject[]): WalkCloud => {
  const local = simulateLocal({ clock, scale: 1, bytes: countedBytes('local') })
  const own = objects.at(-1)
  const shoot = objects.find(({ kind }) => kind === 'Cluster')
  if (own !== undefined) local.prepare(own, undefined, shoot)
  return {
    simulated: { provider: 'local', local },
    connection: local.connection,
    rows: () => localContents(local),
    names: () =>
      local.cluster
        .snapshot()
        .filter(({ kind }) => kind !== 'Namespace')
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    noteWrites: () => {
      const writes: string[] = []
      const end = local.onCall(call => {
        if (!call.isRead) writes.push(JSON.stringify(call))
      })
      return () => {
        end()
        return writes
      }
    },
    planOf: kind => (kind in provider.plans ? provider.plan : undefined),
    close: () => local.cluster.close(),
  }
}

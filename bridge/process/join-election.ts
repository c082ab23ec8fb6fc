import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { createElection, type LeaseTimes } from '../../shared/leadership/election.ts'
import type { Leadership } from '../../shared/leadership/leadership.ts'
import type { Log } from '../../shared/log/log.ts'
import { podNamespace } from './pod-namespace.ts'
import type { BridgeSettings } from './settings.ts'

/**
 * Returns the election according to the settings; undefined: none. `inCluster`: this is a pod of the cluster that it
 * watches.
 */
export const joinElection = async (options: {
  readonly settings: BridgeSettings
  readonly inCluster: boolean
  readonly times?: LeaseTimes | undefined
  readonly kubernetes: Kubernetes
  readonly log: Log
}): Promise<Leadership | undefined> => {
  const { settings, inCluster, times, kubernetes, log } = options
  if (!(settings.leaderElection ?? inCluster)) return undefined
  return createElection({
    kubernetes,
    lease: { namespace: (await podNamespace()) ?? 'trellis', name: settings.leaseName },
    // The same format as in users of client-go: a restarted pod of the same name is another candidate.
    identity: `${hostname()}_${randomUUID()}`,
    times,
    clock: systemClock,
    elapsed: () => performance.now(),
    log,
  })
}

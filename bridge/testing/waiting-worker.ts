import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { BridgeOptions } from '../create-bridge.ts'
import { type BridgeTestSeed, namespace, type RecordChanges, useSeeds } from './test-seed.ts'

export const deployments = machineKinds.MachineDeployment.resource

export const workersAlone = {
  kinds: ['Worker'],
  classes: ['shoot'],
  namespaces: [],
} as const satisfies BridgeOptions['selection']

/** A MachineDeployment with `available` of two machines. */
export const deployment = (name: string, available: number, more: object = {}): KubernetesObject => ({
  apiVersion: 'machine.sapcloud.io/v1alpha1',
  kind: 'MachineDeployment',
  metadata: { name, namespace },
  spec: { replicas: 2 },
  status: {
    observedGeneration: 1,
    ...{ replicas: 2, updatedReplicas: 2, availableReplicas: available, unavailableReplicas: 2 - available },
    conditions: [{ type: 'Available', status: available === 2 ? 'True' : 'False' }],
    ...more,
  },
})

export const put = (seed: BridgeTestSeed, name: string, available: number, more: object = {}) =>
  seed.kubernetes.put(deployments, deployment(name, available, more))

export const waits: RecordChanges = {
  last: { state: 'Processing' },
  step: { phase: 'waiting', until: '2026-11-21T12:00:30.000Z', durationMs: 30_000, event: 'before' },
}
export const claims = (event: ExtensionEvent | undefined): RecordChanges => ({
  last: { state: 'Processing' },
  step: { until: '2026-11-21T12:01:15.000Z', durationMs: 75_000, event: event?.id ?? '' },
})
export const waitsAfter = (event: ExtensionEvent | undefined): RecordChanges => ({
  last: { state: 'Processing' },
  step: { ...waits.step, until: '2026-11-21T12:00:40.000Z', event: event?.id ?? '' },
})

/** Creates Workers that wait for 30 s, beside deployments `a` and `b` that are not rolled out. */
export const useWaitingWorkers = () => {
  const createSeed = useSeeds()
  const seedThatWaits = async (options: Partial<BridgeOptions> = {}) => {
    const seed = createSeed()
    put(seed, 'a', 0)
    put(seed, 'b', 0)
    const started = await seed.bridge({ selection: workersAlone, ...options })
    seed.put('Worker', 'w', waits)
    await seed.clock.advance(0)
    return { seed, ...started }
  }
  return { createSeed, seedThatWaits }
}

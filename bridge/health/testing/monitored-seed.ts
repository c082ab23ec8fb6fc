import { monitoredKinds } from '../../../shared/contract/health.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { nextRound } from '../../../shared/health/schedule/health-checks.ts'
import type { GroupVersionResource, ObjectMeta } from '../../../shared/kubernetes/kubernetes.ts'
import type { BridgeOptions } from '../../create-bridge.ts'
import { type BridgeTestSeed, namespace } from '../../testing/test-seed.ts'

export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
export const selection = {
  kinds: ['ControlPlane', 'Worker'],
  classes: ['shoot'],
  namespaces: [],
} as const satisfies BridgeOptions['selection']

export const start = Date.parse('2026-11-21T12:00:00.000Z')
export const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString().replace('.000Z', 'Z')

interface Shown {
  readonly metadata?: Partial<ObjectMeta>
  readonly status?: string
  /** Seconds from the start of the test to the write of the condition; undefined: the condition does not exist. */
  readonly written?: number | undefined
  /** Seconds from the start of the test to the transition of the condition. Default: `written`. */
  readonly turned?: number
  readonly lastOperation?: string
}

/** A ControlPlane that has succeeded, with a health condition as written by a function. */
export const put = (
  seed: BridgeTestSeed,
  { metadata, status = 'True', written, turned = written ?? 0, lastOperation = 'Reconcile' }: Shown = {},
) =>
  seed.kubernetes.put(kinds.ControlPlane.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'ControlPlane',
    metadata: { name: 'c', namespace, ...metadata },
    spec: { type: 'acme' },
    status: {
      lastOperation: { type: lastOperation, state: 'Succeeded', lastUpdateTime: at(-60) },
      conditions:
        written === undefined
          ? []
          : [
              {
                type: 'ControlPlaneHealthy',
                status,
                lastUpdateTime: at(written),
                lastTransitionTime: at(turned),
              },
            ],
    },
  })

export const deployment = (seed: BridgeTestSeed, status: string, name = 'ccm') =>
  seed.kubernetes.put(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, generation: 1 },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, conditions: [{ type: 'Available', status }] },
  })

/** Seconds from the start of the test to the first round of the functions of type `acme`. */
export const roundAt = (nextRound('acme', 20 * 60_000, start) - start) / 1_000

export const reasons = (seed: BridgeTestSeed) => seed.events.map(({ reason }) => reason)

/** A seed with a healthy ControlPlane that was checked after the bridge's start. */
export const healthyIn = async (seed: BridgeTestSeed, options: Partial<BridgeOptions> = {}) => {
  put(seed, { written: 0 })
  deployment(seed, 'True')
  // The round of the start.
  const started = await seed.bridge({ selection, monitored: monitoredKinds, random: () => 0, ...options })
  await seed.clock.advance(20_000)
  const [first] = seed.events.splice(0)
  if (first?.reason !== 'round') throw new Error('the start was not checked')
  return { seed, ...started }
}

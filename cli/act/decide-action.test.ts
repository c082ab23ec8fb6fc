import { expect, test } from 'vitest'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { outlookOf, type SeedView, shootOfObject } from '../observe/observe.ts'
import { type ActionName, decideAction } from './decide-action.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const namespace = 'shoot--garden--rose'
const time = (ms: number) => new Date(now + ms).toISOString()

const step = (phase: 'claimed' | 'waiting', attempt: number, until: number) =>
  formatStepAnnotation({
    ...{ phase, operation: 'reconcile', attempt, until: time(until), durationMs: 60_000, event: 'e' },
    ...{ request: '', generation: 1, was: '' },
  })

/** Every combination of what changes a decision. */
const dimensions: Readonly<Record<string, readonly unknown[]>> = {
  kind: ['Infrastructure', 'BackupBucket', 'DNSRecord'],
  operation: [undefined, 'reconcile', 'restore', 'wait-for-state', 'unknown'],
  step: [undefined, step('waiting', 9, 400_000), step('claimed', 0, 60_000), step('claimed', 1, -5_000)],
  state: ['Succeeded', 'Error', 'Failed', 'Processing'],
  type: ['Reconcile', 'Migrate'],
  lastError: [undefined, { description: 'no quota' }],
  deletionTimestamp: [undefined, time(-400_000)],
  isPaused: [false, true],
  isFailed: [false, true],
  generation: [1, 2],
}

const combinations = Object.entries(dimensions).reduce<readonly Readonly<Record<string, unknown>>[]>(
  (all, [name, values]) => all.flatMap(one => values.map(value => ({ ...one, [name]: value }))),
  [{}],
)

test('each command to retry or reconcile that an outlook says would write something', () => {
  const useless = new Map<string, unknown>()
  let commands = 0
  for (const given of combinations) {
    const kind = given.kind as KindName
    const { state, type, lastError, deletionTimestamp, generation } = given
    const all = [
      [annotations.operation, given.operation],
      [annotations.step, given.step],
    ].filter(([, value]) => value !== undefined)
    const object = {
      ...{ apiVersion, kind },
      metadata: {
        ...{ name: 'rose', uid: 'u', generation, finalizers: [`extensions.gardener.cloud/${kind}`] },
        ...(kind !== 'BackupBucket' && { namespace }),
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
        annotations: Object.fromEntries(all),
      },
      spec: { type: 'aws' },
      status: {
        ...{ observedGeneration: 1, lastError },
        lastOperation: { type, state, description: '', progress: 1, lastUpdateTime: time(-400_000) },
      },
    } as unknown as KubernetesObject
    const cluster: KubernetesObject = {
      ...{ apiVersion, kind: 'Cluster' },
      metadata: {
        name: namespace,
        ...(given.isPaused === true && { annotations: { [annotations.pause]: `${time(3_600_000)} anna` } }),
      },
      spec: {
        shoot: {
          metadata: { namespace: 'garden-dev', name: 'rose' },
          ...(given.isFailed === true && { status: { lastOperation: { state: 'Failed' } } }),
        },
      },
    }
    const view: SeedView = {
      ...{ at: now, objects: [object, cluster], clustersRead: true, steps: undefined, missing: [] },
    }
    const { run } = outlookOf(kind, object, shootOfObject(view, object), now)
    const [, action] = /^trellis (retry|reconcile) /.exec(run ?? '') ?? []
    if (action === undefined) continue
    commands++
    const decided = decideAction(action as ActionName, object, view, undefined)
    if (decided.annotations === undefined) useless.set(`${run}: ${decided.text}`, given)
  }
  expect(Object.fromEntries(useless)).toEqual({})
  expect(commands).toBeGreaterThan(100)
})

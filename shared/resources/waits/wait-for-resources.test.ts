import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { ManagedResource } from '../../contract/objects.ts'
import { namespace, statusOf } from '../testing/namespace.ts'
import { goneWait, healthyWait } from './resource-wait.ts'
import { waitForResources } from './wait-for-resources.ts'

const key = { name: 'one', namespace }
const resourceOf = (status?: object, metadata: object = {}): ManagedResource =>
  ({
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { ...key, generation: 2, ...metadata },
    spec: { secretRefs: [] },
    ...(status && { status }),
  }) as ManagedResource

const refused = 'error during apply of object "apps/v1/DaemonSet/kube-system/csi" is invalid: spec: no'

describe('healthy', () => {
  test('the wait ends when all is applied, healthy and rolled out', () => {
    expect(healthyWait(key, resourceOf(statusOf(2)))).toEqual({ kind: 'over' })
  })

  test.each<[string, ManagedResource | undefined, string]>([
    ['that does not exist', undefined, 'managedresources.resources.gardener.cloud "one" not found'],
    ['without a status', resourceOf(), `managed resource ${namespace}/one is not healthy`],
    ['of another generation', resourceOf(statusOf(1)), `managed resource ${namespace}/one is not healthy`],
    [
      'that is being deleted',
      resourceOf(statusOf(2), { deletionTimestamp: '2026-11-21T00:00:00Z' }),
      `managed resource ${namespace}/one is being deleted`,
    ],
    [
      'that could not be applied',
      resourceOf(statusOf(2, { ResourcesApplied: ['False', 'ApplyFailed', refused] })),
      `managed resource ${namespace}/one is not healthy: ResourcesApplied ApplyFailed: ${refused}`,
    ],
    [
      'with an unhealthy object',
      resourceOf(statusOf(2, { ResourcesHealthy: ['False', 'DeploymentUnhealthy', 'no pods'] })),
      `managed resource ${namespace}/one is not healthy: ResourcesHealthy DeploymentUnhealthy: no pods`,
    ],
    [
      'that is rolled out',
      resourceOf(statusOf(2, { ResourcesProgressing: ['True', 'DaemonSetProgressing', '1 of 2'] })),
      `managed resource ${namespace}/one is still progressing: ResourcesProgressing DaemonSetProgressing: 1 of 2`,
    ],
    [
      'with an unchecked rollout',
      resourceOf(statusOf(2, { ResourcesProgressing: ['Unknown', 'ChecksPending', 'not yet'] })),
      `managed resource ${namespace}/one is still progressing: ResourcesProgressing ChecksPending: not yet`,
    ],
  ])('the wait continues for a ManagedResource %s', (_, managedResource, message) => {
    expect(healthyWait(key, managedResource)).toMatchObject({ kind: 'waiting', message })
  })

  test('the wait has the code of the resource manager’s reason', () => {
    const managedResource = resourceOf(statusOf(2, { ResourcesApplied: ['False', 'ApplyFailed', refused] }))
    expect(healthyWait(key, managedResource)).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  })

  test('a long reason is cut', () => {
    const long = resourceOf(statusOf(2, { ResourcesApplied: ['False', 'ApplyFailed', 'x'.repeat(100_000)] }))
    expect(JSON.stringify(healthyWait(key, long)).length).toBeLessThan(2_300)
  })
})

describe('gone', () => {
  test('the wait ends when the ManagedResource does not exist', () => {
    expect(goneWait(key, undefined)).toEqual({ kind: 'over' })
  })

  test.each([
    ['True', 'ApplySucceeded', 'x'],
    ['True', 'DeletionPending', 'x'],
    ['Progressing', 'ApplyProgressing', 'x'],
  ] as const)('the wait continues while the ManagedResource exists (%s %s)', (...applied) => {
    expect(goneWait(key, resourceOf(statusOf(2, { ResourcesApplied: applied })))).toEqual({
      kind: 'waiting',
      message: `resource ${namespace}/one still exists`,
      codes: [],
    })
  })

  test.each([
    ['False', 'DeletionFailed'],
    ['Progressing', 'DeletionPending'],
  ] as const)('the wait reports why objects still exist (%s %s)', (status, reason) => {
    const managedResource = resourceOf(statusOf(2, { ResourcesApplied: [status, reason, 'held by a.b/c'] }))
    expect(goneWait(key, managedResource)).toMatchObject({
      failure: 'error while waiting for all resources to be deleted',
      message: `resource ${namespace}/one still exists:\nheld by a.b/c`,
    })
  })
})

describe('a wait', () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const wait = { name: 'shoot gone', doing: 'deleting the shoot objects', longestMs: 120_000, progress: 40 }
  const stuck = goneWait(
    key,
    resourceOf(statusOf(2, { ResourcesApplied: ['Progressing', 'DeletionPending', refused] })),
  )
  const waitedFor = (ms: number, name = wait.name) => ({ for: name, since: clock.now() - ms })

  test('a finished wait lets the step continue', () => {
    expect(waitForResources({ clock, waited: undefined }, wait, [{ kind: 'over' }])).toBeUndefined()
  })

  test('a wait ends the step and gives its reason', () => {
    expect(waitForResources({ clock, waited: undefined }, wait, [{ kind: 'over' }, stuck])).toEqual({
      kind: 'continue',
      afterMs: 10_000,
      progress: 40,
      description: `resource ${namespace}/one still exists:\n${refused}`,
      waitsFor: 'shoot gone',
    })
  })

  test('the next check is at the end of the limit, not later', () => {
    expect(waitForResources({ clock, waited: waitedFor(117_000) }, wait, [stuck])).toMatchObject({
      afterMs: 3_000,
    })
  })

  test('a wait counts from its own start, not from that of another', () => {
    expect(waitForResources({ clock, waited: waitedFor(200_000, 'crds gone') }, wait, [stuck])).toMatchObject(
      {
        kind: 'continue',
      },
    )
  })

  test('a wait beyond its limit fails with the reason and its code', () => {
    const attempt = () => waitForResources({ clock, waited: waitedFor(120_000) }, wait, [stuck])
    expect(attempt).toThrow(
      'deleting the shoot objects: error while waiting for all resources to be deleted: retry failed with context ' +
        `deadline exceeded, last error: resource ${namespace}/one still exists:\n${refused}`,
    )
    expect(attempt).toThrow(expect.objectContaining({ codes: ['ERR_CONFIGURATION_PROBLEM'] }))
  })
})

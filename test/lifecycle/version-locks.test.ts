import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { type Harness, harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

const failedShoot = { status: { lastOperation: { type: 'Reconcile', state: 'Failed' } } }
const asked = { metadata: { annotations: { [annotations.operation]: 'reconcile' } } }

/** A claim that another process writes. */
const claimBy = (seed: Harness): string =>
  formatStepAnnotation({
    phase: 'claimed',
    operation: 'reconcile',
    attempt: 0,
    until: new Date(seed.clock.now() + 75_000).toISOString(),
    durationMs: 75_000,
    event: 'other',
    request: 'reconcile@',
    generation: 1,
    was: '',
  })

/** Runs `first` once, after a step has decided and before its first patch of the object arrives. */
const before = (seed: Harness, first: () => Promise<unknown>): Kubernetes => {
  let isDone = false
  return {
    ...seed.observed,
    patch: async (...args) => {
      if (!isDone) {
        isDone = true
        await first()
      }
      return seed.observed.patch(...args)
    },
  }
}

/** Objects on which an attempt stops before its start. */
const stops: readonly (readonly [string, () => Promise<Harness>])[] = [
  [
    'shoot has failed',
    async () => {
      const seed = await harness('Network', { shoot: failedShoot })
      await seed.create({ annotation: 'reconcile' })
      return seed
    },
  ],
  [
    'object was migrated',
    async () => {
      const seed = await harness('Network')
      await seed.create({ annotation: 'migrate', finalizers: [kinds.Network.finalizer()] })
      await seed.step()
      await seed.patch(asked)
      return seed
    },
  ],
  [
    'object has nothing to delete',
    async () => {
      const seed = await harness('Network')
      await seed.create({ annotation: 'reconcile', finalizers: ['example.com/other'] })
      await seed.remove()
      return seed
    },
  ],
]

describe('an attempt that stops before its start', () => {
  test.each(stops)(
    'does not remove the claim that another step has written meanwhile: the %s',
    async (_, create) => {
      const seed = await create()
      const claim = claimBy(seed)
      const port = before(seed, () =>
        seed.patch({
          metadata: { annotations: { [annotations.step]: claim, [annotations.operation]: null } },
        }),
      )
      await seed.step({}, port)
      expect((await seed.live()).metadata.annotations?.[annotations.step]).toBe(claim)
    },
  )
})

test('an attempt that stops for a failed shoot does not consume the request that follows the recovery', async () => {
  const seed = await harness('Network', { shoot: failedShoot })
  await seed.create({ annotation: 'reconcile' })
  const port = before(seed, async () => {
    await seed.kubernetes.patch(
      clusterKind.resource,
      { name: shootNamespace },
      { spec: { shoot: { status: { lastOperation: { state: 'Processing' } } } } },
    )
    const annotationsNow = {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: '2026-11-21T12:00:09Z',
    }
    await seed.patch({ metadata: { annotations: annotationsNow } })
  })
  expect(await seed.step({}, port)).toEqual({ kind: 'recorded', how: 'succeeded' })
  expect(seed.calls).toHaveLength(1)
})

describe('the finalizer of a BackupBucket on its Secret', () => {
  const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
  const key = { name: 'credentials', namespace: shootNamespace }
  const other = 'example.com/other'
  const own = kinds.BackupBucket.finalizer()

  /** Changes the finalizers of the Secret once, after a step has read it and before its patch arrives. */
  const interfered = (seed: Harness, finalizers: readonly string[]): Kubernetes => {
    let isDone = false
    return {
      ...seed.observed,
      patch: async (of, ...rest) => {
        if (of.plural === 'secrets' && !isDone) {
          isDone = true
          await seed.kubernetes.patch(secrets, key, { metadata: { finalizers } })
        }
        return seed.observed.patch(of, ...rest)
      },
    }
  }
  const finalizersOf = async (seed: Harness) =>
    (await seed.kubernetes.get(secrets, key))?.metadata.finalizers ?? []

  test('is added beside one that another client adds at the same time', async () => {
    const seed = await harness('BackupBucket')
    await seed.create({ annotation: 'reconcile' })
    await seed.step({}, interfered(seed, [other]))
    expect(await finalizersOf(seed)).toEqual([other, own])
  })

  test('is removed without one that another client adds at the same time', async () => {
    const seed = await harness('BackupBucket')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.remove()
    await seed.step({}, interfered(seed, [own, other]))
    expect(await finalizersOf(seed)).toEqual([other])
    expect(await seed.isGone()).toBe(true)
  })

  test('does not return one that another client removes at the same time', async () => {
    const seed = await harness('BackupBucket')
    await seed.create({ annotation: 'reconcile' })
    await seed.kubernetes.patch(secrets, key, { metadata: { finalizers: [other] } })
    await seed.step({}, interfered(seed, []))
    expect(await finalizersOf(seed)).toEqual([own])
  })
})

import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { done, type ForcedStepContext, kindRules } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, type HarnessOptions, harness } from './harness.ts'
import type { Sample } from './sample-objects.ts'

const failing = (error: Error) => async () => {
  throw error
}

describe('a forced delete', () => {
  const ask = async (seed: Harness, own: string, annotation?: string) => {
    await seed.create({
      finalizers: [own],
      ...(annotation === undefined
        ? {}
        : { annotations: { [annotations.forceDeletionConfirmation]: annotation } }),
    })
    await seed.remove()
    await seed.step()
    return seed.calls.map(({ operation }) => operation)
  }
  const forceRemove = async () => ({ kind: 'done' }) as const
  const shoot = (value: string) => ({
    metadata: { annotations: { [annotations.forceDeletionConfirmation]: value } },
  })

  test.each([
    ['true', 'forceRemove'],
    ['T', 'forceRemove'],
    ['1', 'forceRemove'],
    ['yes', 'remove'],
    ['false', 'remove'],
  ])('is requested by the shoot with %s → %s', async (value, operation) => {
    const seed = await harness('Worker', { shoot: shoot(value), actuator: { forceRemove } })
    expect(await ask(seed, kinds.Worker.finalizer())).toEqual([operation])
  })

  test.each([
    ['true', 'forceRemove'],
    ['1', 'remove'],
  ])('is requested by the Bastion itself with %s → %s', async (value, operation) => {
    const seed = await harness('Bastion', { shoot: shoot('true'), actuator: { forceRemove } })
    expect(await ask(seed, kinds.Bastion.finalizer(), value)).toEqual([operation])
  })

  const forcible = Object.entries(kindRules)
    .filter(([, rules]) => rules.forceDelete !== 'none')
    .map(([kind]) => kind as KindName)

  /** Creates an object with a confirmed forced delete, without any dependents. */
  const forced = async (kind: KindName, options: HarnessOptions, sample: Sample = {}) => {
    const seed = await harness(kind, { shoot: shoot('true'), ...options })
    const own = kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)
    await seed.create({
      ...sample,
      finalizers: [own],
      annotations: { [annotations.forceDeletionConfirmation]: 'true' },
    })
    await seed.remove()
    const outcome = await seed.step()
    return { seed, outcome }
  }
  const succeeded = { kind: 'recorded', how: 'succeeded' }
  const reads = (seed: Harness) =>
    seed.requests.filter(({ verb }) => verb === 'get').map(({ resource }) => resource)

  test.each(
    forcible.flatMap(
      kind =>
        [
          [kind, 'is missing', null],
          [kind, 'is empty', {}],
          [kind, 'is there', { key: 'planted-secret-value' }],
        ] as const,
    ),
  )('of a %s never reads the Secret, whether it %s', async (kind, _, secret) => {
    const { seed, outcome } = await forced(kind, { secret, actuator: { forceRemove } })
    expect(outcome).toEqual(succeeded)
    expect(seed.calls).toMatchObject([{ operation: 'forceRemove', context: { secret: undefined } }])
    expect(reads(seed)).not.toContain('secrets')
    expect(await seed.isGone()).toBe(true)
  })

  test.each(forcible)('of a %s succeeds if the actuator does not support it', async kind => {
    const { seed, outcome } = await forced(kind, { secret: null })
    expect(outcome).toEqual(succeeded)
    expect(seed.calls).toEqual([])
    expect(await seed.isGone()).toBe(true)
  })

  test('is not blocked by an object that violates its schema', async () => {
    const { seed, outcome } = await forced('DNSRecord', {}, { spec: { recordType: 'MX', values: [] } })
    expect(outcome).toEqual(succeeded)
    expect(await seed.isGone()).toBe(true)
  })

  test('is not blocked by a Cluster that cannot be decoded', async () => {
    const broken = { ...shoot('true'), spec: { hibernation: 'yes' } }
    const { seed, outcome } = await forced('Worker', { shoot: broken })
    expect(outcome).toEqual(succeeded)
    expect(await seed.isGone()).toBe(true)
  })

  test('of a Bastion is not blocked by a missing Cluster', async () => {
    const { seed, outcome } = await forced('Bastion', { shoot: null })
    expect(outcome).toEqual(succeeded)
    expect(await seed.isGone()).toBe(true)
  })

  test('without a request waits for a Cluster that cannot be decoded', async () => {
    const { outcome } = await forced('Worker', { shoot: { ...shoot('no'), spec: { hibernation: 'yes' } } })
    expect(outcome).toEqual({ kind: 'recorded', how: 'failed' })
  })

  test.each([
    ['is missing', null, undefined],
    ['is there', { key: 'planted-secret-value' }, { key: 'planted-secret-value' }],
  ])('lets its actuator read the Secret, which %s', async (_, secret, data) => {
    const found: unknown[] = []
    const forceRemove = async ({ findSecret }: ForcedStepContext) => {
      found.push((await findSecret())?.data)
      return done()
    }
    const { outcome } = await forced('DNSRecord', { secret, actuator: { forceRemove } })
    expect(outcome).toEqual(succeeded)
    expect(found).toEqual([data])
  })

  test('fails without permission to read the Secret, instead of retaining all resources as without a Secret', async () => {
    const forceRemove = async ({ findSecret }: ForcedStepContext) => {
      await findSecret()
      return done()
    }
    const seed = await harness('DNSRecord', { shoot: shoot('true'), actuator: { forceRemove } })
    await seed.create({ finalizers: [kinds.DNSRecord.finalizer()] })
    await seed.remove()
    const forbidding = {
      ...seed.observed,
      get: async (...args: Parameters<typeof seed.observed.get>) => {
        if (args[0].plural === 'secrets') throw new KubernetesError(403, 'Forbidden', 'no')
        return seed.observed.get(...args)
      },
    }
    expect(await seed.step({}, forbidding)).toEqual({ kind: 'recorded', how: 'failed' })
    expect(await seed.isGone()).toBe(false)
  })

  test('reports no value of the Secret that its actuator read', async () => {
    const forceRemove = async ({ findSecret }: ForcedStepContext) => {
      throw new Error(`you said ${(await findSecret())?.data.key}`)
    }
    const { seed } = await forced('DNSRecord', { actuator: { forceRemove } })
    expect((await seed.live()).status?.lastError?.description).toContain('you said [redacted]')
  })

  test('is not supported for a BackupEntry', async () => {
    const seed = await harness('BackupEntry', { shoot: shoot('true'), actuator: { forceRemove } })
    expect(await ask(seed, kinds.BackupEntry.finalizer())).toEqual(['remove'])
  })
})

describe('the Created condition of a DNSRecord', () => {
  const conditions = async (seed: Harness) => (await seed.live()).status?.conditions

  test('is False after a first error and permanently True after a success', async () => {
    let broken = true
    const seed = await harness('DNSRecord', {
      actuator: {
        reconcile: async () => {
          if (broken) throw new Error('no')
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(await conditions(seed)).toMatchObject([{ type: 'Created', status: 'False', reason: 'Error' }])
    broken = false
    await seed.clock.advance(1_000)
    await seed.step({ reason: 'retry' })
    const created = await conditions(seed)
    expect(created).toMatchObject([{ type: 'Created', status: 'True', reason: 'Success' }])
    broken = true
    await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
    await seed.step()
    expect(await conditions(seed)).toEqual(created)
  })

  test('that is False lets a delete skip the actuator and every status write', async () => {
    const seed = await harness('DNSRecord', { actuator: { reconcile: failing(new Error('no')) } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.remove()
    const before = seed.statusWrites().length
    expect(await seed.step({ reason: 'deletion' })).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(seed.calls.map(({ operation }) => operation)).toEqual(['reconcile'])
    expect(seed.statusWrites().length).toBe(before)
    expect(await seed.isGone()).toBe(true)
  })

  test('that is missing lets a delete run', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ finalizers: [kinds.DNSRecord.finalizer()] })
    await seed.remove()
    await seed.step()
    expect(seed.calls.map(({ operation }) => operation)).toEqual(['remove'])
  })
})

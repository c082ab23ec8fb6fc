import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { ConnectionError, type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { type Actuator, secrets } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, harness } from './harness.ts'
import { type Sample, shootNamespace } from './sample-objects.ts'

const created = async (seed: Harness): Promise<string | undefined> => {
  const all = ((await seed.live()).status?.conditions ?? []) as {
    readonly type: string
    readonly status: string
  }[]
  return all.find(({ type }) => type === 'Created')?.status
}

/** A cloud with room for one record, and the effect of an attempt on it, before it ends or is killed. */
const createCloud = () => {
  const cloud = { hasRecord: false, attempt: 'works' as Attempt, seen: [] as (string | undefined)[] }
  return cloud
}
type Attempt =
  | 'works'
  | 'fails before its write'
  | 'fails after its write'
  | 'never comes back after its write'

const seedWith = async (
  cloud: ReturnType<typeof createCloud>,
  sample: Sample = { annotation: 'reconcile' },
) => {
  const reconcile: Actuator['reconcile'] = async ({ throwIfExpired }) => {
    if (cloud.attempt === 'fails before its write') throw new Error('no')
    throwIfExpired()
    cloud.seen.push(await created(seed))
    cloud.hasRecord = true
    if (cloud.attempt === 'fails after its write') throw new Error('no')
    if (cloud.attempt === 'never comes back after its write') return new Promise<never>(() => {})
    return { kind: 'done' }
  }
  const remove: Actuator['remove'] = async ({ throwIfExpired }) => {
    throwIfExpired()
    cloud.hasRecord = false
    return { kind: 'done' }
  }
  const seed: Harness = await harness('DNSRecord', { actuator: { reconcile, remove } })
  await seed.create(sample)
  return seed
}

const again = async (seed: Harness) => {
  await seed.clock.advance(600_000)
  return seed.step()
}

/** Runs the step of a process that dies: it neither returns nor writes again. */
const killed = async (seed: Harness, cloud: ReturnType<typeof createCloud>) => {
  cloud.attempt = 'never comes back after its write'
  let isDead = false
  const dying: Kubernetes = {
    ...seed.observed,
    patch: async (resource, key, patch, options) => {
      if (isDead) throw new ConnectionError('dead', { cause: undefined, sent: false })
      return seed.observed.patch(resource, key, patch, options)
    },
  }
  void seed.step({}, dying)
  for (let round = 0; round < 50 && !cloud.hasRecord; round++)
    await new Promise(resolve => setTimeout(resolve, 1))
  isDead = true
}

describe('the condition that no resource was created', () => {
  test('is withdrawn before a write to the cloud, without a separate request', async () => {
    const cloud = createCloud()
    const seed = await seedWith(cloud)
    cloud.attempt = 'fails before its write'
    await seed.step()
    expect(await created(seed)).toBe('False')
    cloud.attempt = 'works'
    seed.requests.length = 0
    await again(seed)
    expect(cloud.seen).toEqual(['Unknown'])
    expect(await created(seed)).toBe('True')
    expect(seed.requests).toHaveLength(6)
  })

  test('is restored unchanged after another attempt that created nothing', async () => {
    const cloud = createCloud()
    const seed = await seedWith(cloud)
    cloud.attempt = 'fails before its write'
    await seed.step()
    const { conditions } = (await seed.live()).status ?? {}
    await again(seed)
    expect((await seed.live()).status?.conditions).toEqual(conditions)
  })

  test.each<[string, readonly Attempt[], Sample | undefined]>([
    ['fails after its write', ['fails after its write'], undefined],
    ['fails, then fails after its write', ['fails before its write', 'fails after its write'], undefined],
    [
      'fails after its write, then before',
      ['fails before its write', 'fails after its write', 'fails before its write'],
      undefined,
    ],
    ['works, then fails', ['works', 'fails before its write'], undefined],
    [
      'restores a record that another seed has made, and fails',
      ['fails before its write'],
      { annotation: 'restore' },
    ],
  ])('is not set after an attempt that %s', async (_, attempts, sample) => {
    const cloud = createCloud()
    const seed = await seedWith(cloud, sample)
    for (const attempt of attempts) {
      cloud.attempt = attempt
      await again(seed)
    }
    expect(await created(seed)).not.toBe('False')
    cloud.hasRecord = true
    await seed.remove()
    await again(seed)
    expect(cloud.hasRecord, 'the record in the cloud').toBe(false)
    expect(await seed.isGone()).toBe(true)
  })

  test.each<[string, readonly Attempt[], readonly Attempt[]]>([
    ['the first', [], []],
    ['the second, after one that failed', ['fails before its write'], []],
    ['the first, and the next one fails at once', [], ['fails before its write']],
    ['the second, and the next one fails at once', ['fails before its write'], ['fails before its write']],
  ])('leaks no record if an attempt is killed after its write: %s', async (_, before, after) => {
    const cloud = createCloud()
    const seed = await seedWith(cloud)
    for (const attempt of before) {
      cloud.attempt = attempt
      await again(seed)
    }
    await seed.clock.advance(600_000)
    await killed(seed, cloud)
    for (const attempt of after) {
      cloud.attempt = attempt
      await again(seed)
    }
    await seed.remove()
    await again(seed)
    expect(cloud.hasRecord, 'the record in the cloud').toBe(false)
    expect(await seed.isGone()).toBe(true)
  })

  test.each([0, 1, 2])('leaks no record if the process dies at write %s of a second attempt', async at => {
    const cloud = createCloud()
    const seed = await seedWith(cloud)
    cloud.attempt = 'fails before its write'
    await seed.step()
    await seed.clock.advance(600_000)
    cloud.attempt = 'works'
    for (const sent of [false, true]) {
      let writes = 0
      const dying: Kubernetes = {
        ...seed.observed,
        patch: async (resource, key, patch, options) => {
          const number = writes++
          if (number === at && sent) await seed.observed.patch(resource, key, patch, options)
          if (number >= at) throw new ConnectionError('dead', { cause: undefined, sent })
          return seed.observed.patch(resource, key, patch, options)
        },
      }
      await seed.step({}, dying)
      await seed.clock.advance(600_000)
    }
    await seed.remove()
    await again(seed)
    expect(cloud.hasRecord, 'the record in the cloud').toBe(false)
    expect(await seed.isGone()).toBe(true)
  })

  test('is ignored if the Go extension left it set during its work', async () => {
    const cloud = createCloud()
    const seed = await seedWith(cloud, { finalizers: [kinds.DNSRecord.finalizer()] })
    const times = { lastTransitionTime: '2026-01-01T00:00:00Z', lastUpdateTime: '2026-01-01T00:00:00Z' }
    await seed.patch(
      {
        status: {
          lastOperation: {
            type: 'Create',
            state: 'Processing',
            progress: 1,
            description: '',
            lastUpdateTime: '2026-01-01T00:00:00Z',
          },
          conditions: [{ type: 'Created', status: 'False', reason: 'Error', message: 'm', ...times }],
        },
      },
      'status',
    )
    cloud.hasRecord = true
    await seed.remove()
    await seed.step()
    expect(cloud.hasRecord).toBe(false)
  })

  test('blocks every create while it cannot be withdrawn', async () => {
    const cloud = createCloud()
    const seed = await seedWith(cloud)
    cloud.attempt = 'fails before its write'
    await seed.step()
    cloud.attempt = 'works'
    await seed.clock.advance(600_000)
    const refusing: Kubernetes = {
      ...seed.observed,
      patch: async (resource, key, patch, options) => {
        if (options?.subresource === 'status') throw new KubernetesError(500, 'InternalError', 'no')
        return seed.observed.patch(resource, key, patch, options)
      },
    }
    await seed.step({}, refusing)
    expect(cloud.hasRecord).toBe(false)
  })
})

describe('an actuator with a known outcome', () => {
  test('makes no more cloud calls with its remaining work', async () => {
    let late: () => void = () => {}
    const seed = await harness('DNSRecord', {
      actuator: {
        reconcile: async ({ throwIfExpired }) => {
          late = throwIfExpired
          throw new Error('no')
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(late).toThrow('the step has ended')
  })
})

describe('the finalizer of an object for which nothing can be created now', () => {
  const broken = { recordType: 'MX' }

  test('is not added if nothing was created before', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ annotation: 'reconcile', spec: broken })
    await seed.step()
    await again(seed)
    expect((await seed.live()).metadata.finalizers).toBeUndefined()
  })

  test('is added if resources were created before, and the finalizer was lost', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.kubernetes.delete(secrets, { name: 'credentials', namespace: shootNamespace })
    await seed.patch({
      metadata: { finalizers: null, annotations: { [annotations.operation]: 'reconcile' } },
    })
    await again(seed)
    expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
    expect((await seed.live()).metadata.finalizers).toEqual([kinds.DNSRecord.finalizer()])
  })

  test('is added if the object is restored from another seed', async () => {
    const seed = await harness('Infrastructure', { secret: null })
    await seed.create({ annotation: 'restore' })
    await seed.step()
    expect((await seed.live()).metadata.finalizers).toEqual([kinds.Infrastructure.finalizer()])
  })
})

import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { ClaimLostError } from '../../shared/contract/errors.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { type Harness, harness } from './harness.ts'

const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Lets all work that does not wait for the clock continue. */
const macrotask = () => new Promise<void>(resolve => setTimeout(resolve, 5))

describe('two deliveries of one event', () => {
  test('run one step if they arrive concurrently', async () => {
    const door = gate()
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => {
          await door.opened
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    const both = Promise.all([seed.step({ id: 'same' }), seed.step({ id: 'same' })])
    await macrotask()
    door.open()
    const outcomes = await both
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'recorded'])
    expect(seed.calls).toHaveLength(1)
  })

  test('run one step if they arrive in sequence', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await seed.step({ id: 'same' })
    expect(await seed.step({ id: 'same' })).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
    expect(seed.calls).toHaveLength(1)
  })
})

describe('a claim', () => {
  test('is decided again if the object changes during it', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    let conflicts = 0
    const racing: Kubernetes = {
      ...seed.observed,
      patch: async (resource, key, patch, options) => {
        if (options?.subresource === undefined && conflicts++ === 0) {
          await seed.patch({ metadata: { labels: { touched: 'yes' } } })
        }
        return seed.observed.patch(resource, key, patch, options)
      },
    }
    expect(await seed.step({}, racing)).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect((await seed.live()).metadata.labels).toEqual({ touched: 'yes' })
    expect(seed.calls).toHaveLength(1)
  })

  test('that others always overtake is given up after eight tries, and the event is sent again', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    let tries = 0
    const racing: Kubernetes = {
      ...seed.observed,
      patch: async () => {
        // A try too many ends the test.
        throw new KubernetesError(++tries > 8 ? 500 : 409, 'Conflict', 'the object has been modified')
      },
    }
    expect(await seed.step({}, racing)).toEqual({ kind: 'busy', retryAfterSeconds: 1 })
  })

  test('is not written if the object is deleted before it', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    const racing: Kubernetes = {
      ...seed.observed,
      patch: async (...args) => {
        await seed.remove()
        return seed.observed.patch(...args)
      },
    }
    expect(await seed.step({}, racing)).toEqual({ kind: 'recorded', how: 'gone' })
    expect(seed.calls).toEqual([])
  })

  test('of a killed step holds until it expires, and then the event that names it takes over', async () => {
    const seed = await harness('Network', { actuator: { reconcile: () => new Promise<never>(() => {}) } })
    await seed.create({ annotation: 'reconcile' })
    void seed.step()
    await macrotask()
    expect(await seed.step()).toMatchObject({ kind: 'busy', retryAfterSeconds: 30 })
    await seed.patch({
      metadata: {
        annotations: {
          [annotations.step]: expired((await seed.live()).metadata.annotations?.[annotations.step]),
        },
      },
    })
    expect(await seed.step({ id: 'any' }), 'an event that does not name the expiry').toMatchObject({
      kind: 'busy',
    })
    const id = await seed.dueId()
    const second = seed.step({ id })
    await macrotask()
    expect(seed.calls).toHaveLength(2)
    const step = parseStepAnnotation((await seed.live()).metadata.annotations?.[annotations.step])
    expect(step).toMatchObject({ phase: 'claimed', event: id })
    await seed.clock.advance(60_000)
    await second
  })

  test('that has expired lets a paused step write nothing more, neither to the cloud nor to the object', async () => {
    const door = gate()
    let wrote = false
    const seed = await harness('Network', {
      actuator: {
        reconcile: async ({ throwIfExpired }) => {
          await door.opened
          throwIfExpired()
          wrote = true
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    const step = seed.step()
    await macrotask()
    const before = await seed.live()
    // The process slept: its timers have not fired, but its time is over.
    const now = seed.clock.now()
    seed.clock.now = () => now + 75_000
    door.open()
    expect(await step).toMatchObject({ kind: 'unrecorded' })
    expect(wrote).toBe(false)
    expect((await seed.live()).metadata.resourceVersion).toBe(before.metadata.resourceVersion)
  })
})

describe('a step beyond its time limit', () => {
  test('makes no more cloud calls, although its claim still exists', async () => {
    let refused: unknown
    const seed = await harness('Network', {
      actuator: {
        reconcile: ({ signal, throwIfExpired }) =>
          new Promise<never>(() => {
            signal.addEventListener('abort', () => {
              try {
                throwIfExpired()
              } catch (error) {
                refused = error
              }
            })
          }),
      },
    })
    await seed.create({ annotation: 'reconcile' })
    const step = seed.step()
    await macrotask()
    await seed.clock.advance(60_000)
    await step
    expect(refused).toBeInstanceOf(Error)
  })

  test('makes no more cloud calls once its claim is lost, however its actuator reacts', async () => {
    let refused: unknown
    let aborted: boolean | undefined
    const seed: Harness = await harness('Network', {
      actuator: {
        reconcile: async ({ signal, throwIfExpired, saveStatus }) => {
          await seed.patch({ metadata: { annotations: { [annotations.step]: null } } })
          await saveStatus({ state: {} }).catch(() => undefined)
          aborted = signal.aborted
          try {
            throwIfExpired()
          } catch (error) {
            refused = error
          }
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'superseded' })
    expect(aborted).toBe(true)
    expect(refused).toBeInstanceOf(ClaimLostError)
  })

  test('does not change the annotation of the step that took over', async () => {
    const other = JSON.stringify({
      phase: 'claimed',
      operation: 'reconcile',
      attempt: 0,
      until: '2026-11-21T13:00:00.000Z',
      event: 'other',
    })
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => {
          await seed.patch({ metadata: { annotations: { [annotations.step]: other } } })
          throw new Error('no')
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect((await seed.live()).metadata.annotations?.[annotations.step]).toBe(other)
  })
})

describe('a step', () => {
  test('that exceeds its time limit is stopped and retried', async () => {
    let aborted = false
    const seed = await harness('Network', {
      actuator: {
        reconcile: ({ signal }) =>
          new Promise<never>(() => {
            signal.addEventListener('abort', () => {
              aborted = true
            })
          }),
      },
    })
    await seed.create({ annotation: 'reconcile' })
    const step = seed.step()
    await macrotask()
    await seed.clock.advance(60_000)
    expect(await step).toEqual({ kind: 'recorded', how: 'failed' })
    expect(aborted).toBe(true)
    expect((await seed.live()).status?.lastOperation).toMatchObject({
      state: 'Error',
      description: 'Error reconciling Network: the step exceeded its time limit and is retried',
    })
  })

  test('schedules its retry even if its error cannot be reported', async () => {
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => {
          throw new Error('no')
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    const outcome = await seed.step({}, refusing(seed.observed, 'Error'))
    expect(outcome).toEqual({ kind: 'recorded', how: 'failed' })
    const live = await seed.live()
    expect(live.status?.lastOperation?.state).toBe('Processing')
    expect(parseStepAnnotation(live.metadata.annotations?.[annotations.step])).toMatchObject({
      phase: 'waiting',
      attempt: 1,
    })
  })

  test.each(['Processing', 'Succeeded'])(
    'with a failed write of %s waits, and reports no error',
    async state => {
      const seed = await harness('Network')
      await seed.create({ annotation: 'reconcile' })
      expect(await seed.step({}, refusing(seed.observed, state))).toEqual({ kind: 'recorded', how: 'waits' })
      expect((await seed.live()).status?.lastError).toBeUndefined()
      expect(seed.failures).toEqual(['etcd is away'])
    },
  )

  test.each<[operation: 'delete' | 'migrate', prefix: string]>([
    ['delete', 'Error deleting Network'],
    ['migrate', 'Error migrating Network'],
  ])(
    'that cannot remove its finalizer after a %s reports so in the object until it can',
    async (operation, prefix) => {
      const seed = await harness('Network')
      await seed.create({ annotation: 'reconcile' })
      await seed.step()
      if (operation === 'delete') await seed.remove()
      else await seed.patch({ metadata: { annotations: { [annotations.operation]: 'migrate' } } })
      const { patch } = seed.observed
      const refusingFinalizers: Kubernetes = {
        ...seed.observed,
        patch: async (...args) => {
          if ('finalizers' in Object(Object(args[2]).metadata))
            throw new KubernetesError(500, 'InternalError', 'a webhook refuses it')
          return patch(...args)
        },
      }
      expect(await seed.step({}, refusingFinalizers)).toEqual({ kind: 'recorded', how: 'waits' })
      const { status } = await seed.live()
      expect(status?.lastOperation?.state).toBe('Succeeded')
      expect(status?.lastError?.description).toMatch(`${prefix}: a webhook refuses it`)
      await seed.clock.advance(1_000)
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
      if (operation === 'delete') expect(await seed.isGone()).toBe(true)
      else expect((await seed.live()).status?.lastError).toBeUndefined()
    },
  )

  test('that cannot write anything reports so, and the event is sent again', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    const broken: Kubernetes = {
      ...seed.observed,
      patch: async () => {
        throw new KubernetesError(500, 'InternalError', 'etcd is away')
      },
    }
    expect(await seed.step({}, broken)).toEqual({ kind: 'unrecorded', reason: 'etcd is away' })
  })

  test('that succeeds often within a second releases its claim each time', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    for (let round = 0; round < 5; round++) {
      await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    }
    expect(seed.calls).toHaveLength(5)
  })

  test('that deletes retains foreign finalizers', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.patch({
      metadata: { finalizers: [...((await seed.live()).metadata.finalizers ?? []), 'other/one'] },
    })
    await seed.remove()
    await seed.step({ reason: 'deletion' })
    expect((await seed.live()).metadata.finalizers).toEqual(['other/one'])
  })
})

describe('a delete', () => {
  test('retains a finalizer that is added at the last moment', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile', finalizers: ['other/one'] })
    await seed.step()
    await seed.remove()
    let raced = false
    const racing: Kubernetes = {
      ...seed.observed,
      patch: async (resource, key, patch, options) => {
        const { metadata } = patch as { readonly metadata?: { readonly finalizers?: readonly string[] } }
        if (!raced && metadata?.finalizers?.length === 1) {
          raced = true
          // A deleting object refuses new finalizers, but can lose one.
          await seed.patch({ metadata: { finalizers: ['extensions.gardener.cloud/network'] } })
        }
        return seed.observed.patch(resource, key, patch, options)
      },
    }
    await seed.step({ reason: 'deletion' }, racing)
    expect(raced).toBe(true)
    expect(await seed.isGone()).toBe(true)
  })
})

/** Returns a port that refuses the status write of one state. */
const refusing = (kubernetes: Kubernetes, state: string): Kubernetes => ({
  ...kubernetes,
  patch: async (resource, key, patch, options) => {
    const { status } = patch as { readonly status?: { readonly lastOperation?: { readonly state: string } } }
    if (status?.lastOperation?.state === state)
      throw new KubernetesError(500, 'InternalError', 'etcd is away')
    return kubernetes.patch(resource, key, patch, options)
  },
})

const expired = (annotation: string | undefined): string =>
  (annotation ?? '').replace(/"until":"[^"]+"/, '"until":"2026-11-21T11:00:00.000Z"')

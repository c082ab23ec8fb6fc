import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'
import { harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

const failing = (error: Error) => async () => {
  throw error
}

describe('the Cluster', () => {
  test('is not read for an object of another class than shoot', async () => {
    const seed = await harness('Network', { shoot: null, backend: { classes: ['seed'] } })
    await seed.create({ annotation: 'reconcile', spec: { class: 'seed' } })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('that is missing is reported in the status of a waiting object, with the annotation consumed and no finalizer', async () => {
    const seed = await harness('Network', { shoot: null })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'failed' })
    const live = await seed.live()
    const description = 'Error reconciling Network: the namespace shoot--p--s of the shoot has no Cluster'
    expect(live.status?.lastOperation).toMatchObject({ type: 'Create', state: 'Error', description })
    expect(live.status?.lastError).toMatchObject({ description })
    expect(live.metadata.finalizers).toBeUndefined()
    expect(live.metadata.annotations?.[annotations.operation]).toBeUndefined()
    expect(await seed.waitMs()).toBe(1_000)
  })

  test('of a failed shoot stops the step silently', async () => {
    const seed = await harness('Worker', {
      shoot: { status: { lastOperation: { type: 'Reconcile', state: 'Failed' } } },
    })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'shoot-failed' })
    const live = await seed.live()
    expect(live.status).toBeUndefined()
    expect(live.metadata.annotations?.[annotations.operation]).toBeUndefined()
    expect(seed.calls).toEqual([])
  })

  test('of a failed shoot ends the wait of an earlier step', async () => {
    const seed = await harness('Worker', { actuator: { reconcile: failing(new Error('no')) } })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const spec = { shoot: { status: { lastOperation: { type: 'Reconcile', state: 'Failed' } } } }
    await seed.kubernetes.patch(clusterKind.resource, { name: shootNamespace }, { spec })
    await seed.clock.advance(1_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'shoot-failed' })
    expect(await seed.stepAnnotation()).toBeUndefined()
  })

  test.each(['Bastion', 'SelfHostedShootExposure', 'BackupBucket', 'BackupEntry'] as const)(
    'of a failed shoot does not stop a %s',
    async kind => {
      const seed = await harness(kind, {
        shoot: { status: { lastOperation: { type: 'Reconcile', state: 'Failed' } } },
      })
      await seed.create({ annotation: 'reconcile' })
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    },
  )

  test('is not required by a DNSRecord outside of a shoot’s namespace', async () => {
    const seed = await harness('DNSRecord', { shoot: 'none' })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(seed.calls[0]?.context.cluster).toBeUndefined()
  })

  test('is required by a DNSRecord in a shoot’s namespace', async () => {
    const seed = await harness('DNSRecord', { shoot: null })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'failed' })
  })
})

describe('the Secret', () => {
  test.each([
    ['is missing', null, /cannot read the Secret shoot--p--s\/credentials of spec.secretRef: not found/],
  ])('that %s is a configuration problem', async (_, secret, description) => {
    const seed = await harness('DNSRecord', { secret })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    const { lastError } = (await seed.live()).status ?? {}
    expect(lastError?.description).toMatch(description)
    expect(lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect((await seed.live()).metadata.finalizers).toBeUndefined()
    expect(seed.calls).toEqual([])
  })

  test.each(['secrets', 'clusters'])(
    'that a function has no permission to read is reported in the status: %s',
    async plural => {
      const seed = await harness('DNSRecord')
      await seed.create({ annotation: 'reconcile' })
      const forbidding = {
        ...seed.observed,
        get: async (...args: Parameters<typeof seed.observed.get>) => {
          if (args[0].plural === plural)
            throw new KubernetesError(
              403,
              'Forbidden',
              `${plural} is forbidden: User "f" cannot get resource`,
            )
          return seed.observed.get(...args)
        },
      }
      expect(await seed.step({}, forbidding)).toEqual({ kind: 'recorded', how: 'failed' })
      const { metadata, status } = await seed.live()
      expect(status?.lastError?.description).toMatch(
        new RegExp(`reading the (Secret|Cluster) .*: ${plural} is forbidden: User "f" cannot get resource$`),
      )
      expect(status?.lastError?.codes).toBeUndefined()
      expect(metadata.finalizers).toBeUndefined()
      await seed.clock.advance(1_000)
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    },
  )

  test.each([
    ['is retried', 'changes four times', 409, 4, 5, 'succeeded'],
    ['fails after five tries', 'changes each time', 409, 99, 5, 'failed'],
    ['fails at once', 'is not writable', 500, 99, 1, 'failed'],
  ])('a finalizer %s if its Secret %s', async (_, __, status, refusals, patches, how) => {
    const seed = await harness('BackupBucket')
    await seed.create({ annotation: 'reconcile' })
    let tries = 0
    const refusing = {
      ...seed.observed,
      patch: async (...args: Parameters<typeof seed.observed.patch>) => {
        if (args[0].plural === 'secrets' && tries++ < refusals) throw new KubernetesError(status, 'No', 'no')
        return seed.observed.patch(...args)
      },
    }
    expect(await seed.step({}, refusing)).toEqual({ kind: 'recorded', how })
    expect(tries).toBe(patches)
  })

  test('that an actuator ignores may be missing, and is not read', async () => {
    const seed = await harness('DNSRecord', { secret: null, backend: { ignoresSecret: true } })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(seed.calls[0]?.context.secret).toBeUndefined()
    expect(seed.requests.map(({ resource }) => resource)).not.toContain('secrets')
  })

  test('never appears in an error, whatever error the actuator throws', async () => {
    const seed = await harness('DNSRecord', {
      actuator: { reconcile: failing(new Error('key planted-secret-value was refused')) },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    expect(JSON.stringify(await seed.live())).not.toContain('planted-secret-value')
    expect((await seed.live()).status?.lastError?.description).toContain('key [redacted] was refused')
  })

  test.each(['BackupBucket', 'BackupEntry'] as const)(
    'of a %s that is missing is reported in its status, and the object continues once the Secret exists',
    async kind => {
      const seed = await harness(kind, { secret: null })
      await seed.create({ annotation: 'reconcile' })
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'failed' })
      const { status } = await seed.live()
      expect(status?.lastError).toMatchObject({
        description: expect.stringMatching(
          /: cannot read the Secret shoot--p--s\/credentials of spec.secretRef: not found$/,
        ),
      })
      expect(status?.lastError?.codes).toBeUndefined()
      expect(await seed.waitMs()).toBe(1_000)
      expect(seed.calls).toEqual([])
      await seed.clock.advance(1_000)
      await seed.kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'credentials', namespace: shootNamespace },
      })
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
      expect((await seed.live()).status?.lastError).toBeUndefined()
    },
  )

  test('of a deleted BackupEntry may be missing: the delete completes without the actuator and without Succeeded', async () => {
    const seed = await harness('BackupEntry', { secret: null })
    await seed.create({ finalizers: [kinds.BackupEntry.finalizer()] })
    await seed.remove()
    await seed.step()
    expect(seed.calls).toEqual([])
    expect(seed.statusWrites().length).toBe(1)
    expect(await seed.isGone()).toBe(true)
  })

  test('of a BackupEntry that disappears during the delete retains the entry', async () => {
    const seed = await harness('BackupEntry', {
      actuator: {
        remove: async () => {
          await seed.kubernetes.delete(secrets, { name: 'credentials', namespace: shootNamespace })
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ finalizers: [kinds.BackupEntry.finalizer()] })
    await seed.remove()
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'waits' })
    expect((await seed.live()).metadata.finalizers).toEqual([kinds.BackupEntry.finalizer()])
  })
})

describe('an object', () => {
  test('that violates its schema is reported with only the path of the field', async () => {
    const seed = await harness('DNSRecord')
    await seed.create({ annotation: 'reconcile', spec: { recordType: 'MX' } })
    await seed.step()
    const live = await seed.live()
    expect(live.status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(live.status?.lastError?.description).toContain('spec.recordType')
    expect(live.metadata.finalizers).toBeUndefined()
    expect(seed.calls).toEqual([])
  })

  test('of another type or class is ignored', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile', spec: { type: 'other' } })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'not-ours' })
    const garden = await harness('Network')
    await garden.create({ annotation: 'reconcile', spec: { class: 'garden' } })
    expect(await garden.step()).toEqual({ kind: 'recorded', how: 'not-ours' })
  })

  test('that waits for its state is ignored', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'wait-for-state' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
    expect(seed.requests).toHaveLength(1)
  })

  test('that is gone completes the event', async () => {
    const seed = await harness('Network')
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'gone' })
  })

  test('that was migrated and is deleted or reconciled is not changed, except for the annotation', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'migrate', finalizers: [kinds.Network.finalizer()] })
    await seed.step()
    await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'migrated' })
    const live = await seed.live()
    expect(live.metadata.annotations?.[annotations.operation]).toBeUndefined()
    expect(live.status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  })

  test('without its own finalizer is deleted without a status write', async () => {
    const seed = await harness('Network')
    await seed.create({ finalizers: ['other/one'] })
    await seed.remove()
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'nothing-to-do' })
    expect(seed.statusWrites().length).toBe(0)
  })

  test.each(['Succeeded', 'Error'])(
    'reports the generation that was reconciled, not a later one: %s',
    async state => {
      const seed = await harness('Infrastructure', {
        actuator: {
          reconcile: async () => {
            await seed.patch({ spec: { sshPublicKey: btoa('key') } })
            if (state === 'Error') throw new Error('no')
            return { kind: 'done' }
          },
        },
      })
      await seed.create({ annotation: 'reconcile' })
      await seed.step()
      const live = await seed.live()
      expect(live.status?.lastOperation?.state).toBe(state)
      expect(live.metadata.generation).toBe(2)
      expect(live.status?.observedGeneration).toBe(1)
    },
  )

  test('retains its old error until the attempt ends', async () => {
    let seen: unknown
    let broken = true
    const seed = await harness('Network', {
      actuator: {
        reconcile: async () => {
          if (broken) throw new Error('first')
          seen = (await seed.live()).status?.lastError?.description
          return { kind: 'done' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    broken = false
    await seed.clock.advance(1_000)
    await seed.step({ reason: 'retry' })
    expect(seen).toBe('Error reconciling Network: first')
    expect((await seed.live()).status?.lastError).toBeUndefined()
  })
})

test.each<[what: string, thrown: unknown, description: string]>([
  ['an error', new TypeError('unknown field'), 'unknown field'],
  ['a value without a text', Object.create(null), 'a value without a text was thrown'],
])('an actuator check that throws %s is recorded, and nothing is created', async (_, thrown, description) => {
  const seed = await harness('DNSRecord', {
    actuator: {
      check: () => {
        throw thrown
      },
    },
  })
  await seed.create({ annotation: 'reconcile' })
  expect(await seed.step()).toEqual({ kind: 'recorded', how: 'failed' })
  const { status, metadata } = await seed.live()
  expect(status?.lastError?.description).toContain(description)
  expect(metadata.finalizers).toBeUndefined()
  expect(seed.calls).toEqual([])
})

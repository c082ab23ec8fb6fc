import { afterEach, describe, expect, test } from 'vitest'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { apiVersion } from '../contract/constants.ts'
import { kinds } from '../contract/kinds.ts'
import { configMaps } from '../kubernetes/core-resources.ts'
import { deleteObject, ensureObject } from '../kubernetes/ensure-object.ts'
import { defineFunction } from '../runtime/define-function.ts'
import { observationEvent } from './observation-event.ts'
import type { SecondaryActuator, SecondaryContext } from './secondary-actuator.ts'
import { markOf, recordIn } from './secondary-record.ts'

const name = 'acme-audit'
const mark = markOf(name)
const namespace = 'shoot--a--b'
const key = { name: 'a', namespace }
const own = { name: 'audit', namespace }
const { resource } = kinds.ControlPlane
const object = {
  apiVersion,
  kind: 'ControlPlane',
  metadata: key,
  spec: { type: 'acme', region: 'here', secretRef: { name: 'cloudprovider', namespace } },
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const useSeed = (actuator: Partial<SecondaryActuator> = {}) => {
  const definition = defineFunction({
    role: 'secondary',
    name,
    kind: 'ControlPlane',
    type: 'acme',
    conditions: ['AuditReady'],
    permissions: [
      { resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'], why: 'Configures the audit.' },
    ],
    create: () => ({
      observe: async () => ({ conditions: { AuditReady: { status: 'True' } } }),
      ...actuator,
    }),
  })
  const seed = createSteppedSeed({ definition, objects: shootObjects({ namespace }) })
  closing.push(seed.close)
  const live = async () => {
    const found = await seed.kubernetes.get(resource, key)
    if (found === undefined) throw new Error('the object is gone')
    return found
  }
  const recordOf = async () => recordIn(await live(), name)
  return { ...seed, live, recordOf }
}

const ensureConfigMap = async ({ kubernetes }: SecondaryContext, metadata: object) => {
  const create = () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...own, ...metadata } })
  const desired = { resource: configMaps, create, patch: () => undefined }
  await ensureObject(kubernetes, desired, await kubernetes.get(configMaps, own))
}
const withConfigMap: Partial<SecondaryActuator> = {
  observe: async step => {
    await ensureConfigMap(step, { ownerReferences: [step.owner] })
    return { conditions: { AuditReady: { status: 'True', reason: 'Configured' } } }
  },
}
const withCleanUp: Partial<SecondaryActuator> = {
  observe: async step => {
    await ensureConfigMap(step, {})
    return {}
  },
  remove: async ({ kubernetes }) => {
    const found = await kubernetes.get(configMaps, own)
    if (found !== undefined) await deleteObject(kubernetes, configMaps, found)
    return {}
  },
}

describe('a secondary function', () => {
  test('observes a new object and each success, writes its condition once, and rests', async () => {
    const seen: string[] = []
    const seed = useSeed({
      observe: async ({ primary }) => {
        seen.push(primary === undefined ? 'new' : `${primary.type} ${primary.state}`)
        return { conditions: { AuditReady: { status: 'True' } } }
      },
    })
    await seed.apply(object)
    expect(seen).toEqual(['Create Succeeded'])
    expect(seed.writes()).toEqual([
      'patch controlplanes a',
      'patch controlplanes/status a',
      'patch controlplanes a',
    ])
    await seed.apply(object)
    expect(seen).toEqual(['Create Succeeded', 'Reconcile Succeeded'])
    expect(seed.writes()).toEqual(['patch controlplanes a', 'patch controlplanes a'])
    expect(await seed.object(key).due()).toEqual({ kind: 'none' })
    expect((await seed.live()).metadata.finalizers).toBeUndefined()
    expect(await seed.object(key).step()).toBeUndefined()
  })

  test('owns objects that Kubernetes deletes with the observed object, without a finalizer', async () => {
    const seed = useSeed(withConfigMap)
    await seed.apply(object)
    expect((await seed.kubernetes.get(configMaps, own))?.metadata.ownerReferences).toMatchObject([
      { name: 'a' },
    ])
    await seed.remove(object)
    expect(await seed.kubernetes.get(resource, key)).toBeUndefined()
    await expect.poll(() => seed.kubernetes.get(configMaps, own)).toBeUndefined()
  })

  test('shows why a step failed in its annotation, retries with backoff, and leaves the status alone', async () => {
    let fails = 2
    const seed = useSeed({
      observe: async () => {
        if (fails-- > 0) throw new Error('the audit service is away')
        return {}
      },
    })
    await seed.object(key).create(object)
    await seed.object(key).step()
    expect(await seed.recordOf()).toMatchObject({
      phase: 'waiting',
      attempt: 1,
      why: 'the audit service is away',
    })
    expect((await seed.live()).status).toBeUndefined()
    expect(await seed.object(key).step()).toEqual({ kind: 'recorded', how: 'failed' })
    expect(await seed.recordOf()).toMatchObject({ attempt: 2, durationMs: 2_000 })
    await seed.object(key).run()
    expect(await seed.recordOf()).toMatchObject({ phase: 'observed', attempt: 0 })
  })

  test('cannot write a field of the primary by its result, or a condition that it has not declared', async () => {
    const wrong = [{ lastOperation: { state: 'Succeeded' } }, { conditions: { ControlPlaneHealthy: {} } }]
    const seed = useSeed({ observe: async () => wrong.shift() as never })
    await seed.object(key).create(object)
    await seed.object(key).step()
    const { why } = (await seed.recordOf()) ?? {}
    expect(why).toMatch(
      /run-observation\.test\.ts:\d+: .*must not write status\.lastOperation of ControlPlane/,
    )
    await seed.object(key).step()
    expect((await seed.recordOf())?.why).toContain('must not write the condition ControlPlaneHealthy')
    expect((await seed.live()).status).toBeUndefined()
  })

  test('cannot patch the object: the message names the file and the line', async () => {
    const seed = useSeed({
      observe: async ({ kubernetes }) => {
        const status = { lastOperation: { state: 'Succeeded' } }
        await kubernetes.patch<typeof resource>(resource, key, { status }, { subresource: 'status' })
        return {}
      },
    })
    await seed.object(key).create(object)
    await seed.object(key).step()
    expect((await seed.recordOf())?.why).toMatch(
      /run-observation\.test\.ts:\d+: a secondary function must not write status of controlplanes\/a/,
    )
    expect((await seed.live()).status).toBeUndefined()
  })

  test('runs one step at a time: a second process gets busy, and takes over after the claim', async () => {
    const seed = useSeed()
    await seed.object(key).create(object)
    seed.dieAt(2, 'before')
    await seed.object(key).step()
    seed.restart()
    const claimed = await seed.live()
    const event = (work: object) =>
      observationEvent({
        ...{ object: claimed, kind: 'ControlPlane', source: '/seeds/a', now: seed.clock.now() },
        route: { name, type: 'acme' },
        work: { operation: 'observe', cause: 'x', reason: 'created', attempt: 0, ...work },
      })
    expect(event({}).provider).toBe('secondary:acme-audit:acme')
    expect(await seed.object(key).step()).toMatchObject({ kind: 'busy' })
    await seed.clock.advance(75_000)
    expect(await seed.object(key).step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('a migration cleans up here, a restore in the same seed creates again', async () => {
    const seed = useSeed(withCleanUp)
    await seed.apply(object)
    expect((await seed.live()).metadata.finalizers).toEqual([mark])
    await seed.request(object, 'migrate')
    expect(await seed.kubernetes.get(configMaps, own)).toBeUndefined()
    expect((await seed.live()).metadata.finalizers ?? []).toEqual([])
    await seed.request(object, 'restore')
    expect(await seed.kubernetes.get(configMaps, own)).toBeDefined()
    await seed.remove(object)
    expect(await seed.kubernetes.get(configMaps, own)).toBeUndefined()
  })

  test.each([1, 2, 3, 4, 5].flatMap(action => [[action, 'before'] as const, [action, 'after'] as const]))(
    'a crash %s action(s) into its life (%s) leaves nothing behind',
    async (action, when) => {
      const seed = useSeed(withCleanUp)
      seed.dieAt(action, when)
      await seed.apply(object)
      expect(await seed.kubernetes.get(configMaps, own)).toBeDefined()
      seed.dieAt(action, when)
      expect(await seed.remove(object)).toBeUndefined()
      expect(await seed.kubernetes.get(configMaps, own)).toBeUndefined()
    },
  )
})

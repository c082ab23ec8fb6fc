import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { createRandom, type Random } from '../../sandbox/simulation/simulation.ts'
import { createSteppedProcess, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { formatMilliseconds, virtualClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { buildEvent } from '../../shared/events/events.ts'
import { configMaps } from '../../shared/kubernetes/core-resources.ts'
import { ensureObject } from '../../shared/kubernetes/ensure-object.ts'
import {
  createKubernetes,
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { done, dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { eventHandler, type FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { dueObservation, markOf, observationEvent } from '../../shared/secondary/secondary.ts'

const namespace = 'shoot--a--b'
const key = { name: 'a', namespace }
const { resource } = kinds.ControlPlane
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const specOf = (size: string) => ({
  type: 'acme',
  region: 'here',
  providerConfig: { size },
  secretRef: { name: 'cloudprovider', namespace },
})
const sizeOf = ({ spec }: KubernetesObject) => String(recordOf(recordOf(spec).providerConfig).size)
const permissions = [
  { resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'], why: 'Test.' },
] as const

type Writer = Pick<Kubernetes, 'get' | 'create' | 'patch'>

const ensureConfigMap = async (kubernetes: Writer, name: string, size: string) =>
  ensureObject(
    kubernetes,
    {
      resource: configMaps,
      create: () => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace },
        data: { size },
      }),
      patch: found => (recordOf(found.data).size === size ? undefined : { data: { size } }),
    },
    await kubernetes.get(configMaps, { name, namespace }),
  )

const removeConfigMap = async (kubernetes: Pick<Kubernetes, 'delete'>, name: string) => {
  try {
    await kubernetes.delete(configMaps, { name, namespace })
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
}

const primary = defineFunction({
  name: 'acme-controlplane',
  kind: 'ControlPlane',
  type: 'acme',
  permissions,
  create: () => ({
    reconcile: async ({ object, kubernetes, throwIfExpired, saveStatus }) => {
      throwIfExpired()
      await ensureConfigMap(kubernetes, 'primary', sizeOf(object))
      await saveStatus({ providerStatus: { size: sizeOf(object) } })
      return { ...done(), conditions: { Ready: { status: 'True' } } }
    },
    remove: async ({ kubernetes, throwIfExpired }) => {
      throwIfExpired()
      await removeConfigMap(kubernetes, 'primary')
      return done()
    },
  }),
})

const secondary = defineFunction({
  role: 'secondary',
  name: 'acme-audit',
  kind: 'ControlPlane',
  type: 'acme',
  conditions: ['AuditReady'],
  permissions,
  create: () => ({
    observe: async ({ object, kubernetes }) => {
      await ensureConfigMap(kubernetes, 'audit', sizeOf(object))
      return { conditions: { AuditReady: { status: 'True', message: sizeOf(object) } } }
    },
    remove: async ({ kubernetes }) => {
      await removeConfigMap(kubernetes, 'audit')
      return {}
    },
  }),
})

/** Redelays the object after a merge patch, without what belongs to the secondary function. */
const withoutOwn = ({ metadata, spec, status }: KubernetesObject, patch: object = {}) => {
  const own = markOf(secondary.name)
  const { metadata: meta, spec: otherSpec, status: part } = recordOf(patch)
  const { annotations: added, finalizers = metadata.finalizers ?? [], ...rest } = recordOf(meta)
  const { conditions = recordOf(status).conditions ?? [], ...fields } = {
    ...recordOf(status),
    ...recordOf(part),
  }
  return JSON.stringify([
    otherSpec ?? spec,
    fields,
    (conditions as readonly unknown[]).filter(entry => recordOf(entry).type !== 'AuditReady'),
    (finalizers as readonly unknown[]).filter(one => one !== own),
    Object.entries({ ...metadata.annotations, ...recordOf(added) }).filter(([name]) => name !== own),
    Object.keys(rest).filter(name => name !== 'uid' && name !== 'resourceVersion'),
  ])
}

/** A seed with functions whose requests interleave at random, and whose processes die at random. */
const openSeed = (random: Random, definitions: readonly FunctionDefinition[], crashes: boolean) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const secret = { cloudprovider: { key: 'planted' } }
  const server = createApiServer({
    clock,
    objects: [...allCrds(), ...shootObjects({ namespace, secrets: secret })],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const disturbed: string[] = []
  const live = () => kubernetes.get(resource, key)
  let lives = 0
  let checked = 0
  const functions = definitions.map(definition => {
    const process = createSteppedProcess(kubernetes, () => ({
      before: async ({ verb, resource: of, body = {} }) => {
        for (let delays = random.int(6); delays > 0; delays--) await Promise.resolve()
        if (definition.secondary === undefined || verb !== 'patch' || !of.startsWith('controlplanes')) return
        const object = await live()
        const { resourceVersion } = recordOf(recordOf(body).metadata)
        if (resourceVersion === undefined) disturbed.push('a patch without a lock')
        // The API server refuses the patch of any other version.
        if (object?.metadata.resourceVersion !== resourceVersion || object === undefined) return
        checked++
        if (withoutOwn(object, body) !== withoutOwn(object)) disturbed.push(JSON.stringify(body))
      },
    }))
    const start = () => eventHandler(definition, {}, { kubernetes: process.start(), clock, log: silent })
    let handle = start()
    const eventOf = (object: KubernetesObject) => {
      const about = { object, kind: 'ControlPlane', source: '/seeds/a', now: clock.now() } as const
      if (definition.secondary === undefined) {
        const due = dueWork('ControlPlane', object, clock.now())
        return { due, event: () => due.kind !== 'none' && buildEvent({ ...about, ...due }) }
      }
      const due = dueObservation('ControlPlane', object, definition.name)
      const route = { name: definition.name, type: 'acme' }
      return { due, event: () => due.kind !== 'none' && observationEvent({ ...about, route, work: due }) }
    }
    const step = async () => {
      const object = await live()
      if (object === undefined) return
      const { due, event } = eventOf(object)
      if (due.kind === 'none' || (due.kind === 'later' && due.at > clock.now())) return
      if (process.hasDied()) handle = start()
      if (crashes && random.chance(0.3)) {
        process.dieAt(random.between(1, 6), random.pick(['before', 'after'] as const))
        lives++
      }
      const built = event()
      if (built) await handle(built, new AbortController().signal)
    }
    return { step, dueOf: async () => eventOf((await live()) ?? spent).due }
  })
  // The server announces each version: who changed it is known from the annotation and the condition alone.
  const lastOperations: string[] = []
  server.store.subscribe((of, { entry }) => {
    if (!of.includes('controlplanes')) return
    const { type, state } = recordOf(recordOf(entry.object.status).lastOperation)
    const text = `${String(type)} ${String(state)}`
    if (type !== undefined && lastOperations.at(-1) !== text) lastOperations.push(text)
  })
  /** Runs all functions side by side until none has work. */
  const runAll = async () => {
    for (let round = 0; round < 200; round++) {
      await Promise.all(functions.map(({ step }) => step()))
      if ((await live()) === undefined) return
      const works = await Promise.all(functions.map(({ dueOf }) => dueOf()))
      const open = works.filter(work => work.kind !== 'none')
      if (open.length === 0) return
      const next = Math.min(...open.map(work => (work.kind === 'later' ? work.at : clock.now())))
      await clock.advance(Math.max(0, next - clock.now()))
    }
    throw new Error(`the functions never rest: ${JSON.stringify((await live())?.metadata.annotations)}`)
  }
  const ask = async (operation: string, patch: object = {}) => {
    await clock.advance(2_000)
    const asked = {
      [annotations.operation]: operation,
      [annotations.timestamp]: formatMilliseconds(clock.now()),
    }
    await kubernetes.patch(resource, key, { ...patch, metadata: { annotations: asked } })
  }
  return {
    kubernetes,
    live,
    runAll,
    ask,
    lastOperations,
    disturbed,
    lives: () => lives,
    checked: () => checked,
    close: server.close,
    clock,
  }
}

const spent: KubernetesObject = { apiVersion, kind: 'ControlPlane', metadata: { name: 'a' } }

const lifeOf = async (random: Random, definitions: readonly FunctionDefinition[], crashes: boolean) => {
  const seed = openSeed(random, definitions, crashes)
  const { kubernetes, live, runAll, ask } = seed
  const dataOf = async (name: string) =>
    recordOf((await kubernetes.get(configMaps, { name, namespace }))?.data).size
  const has = definitions.includes(secondary)
  const expectAll = async (size: string | undefined) => {
    expect(await dataOf('primary')).toBe(size)
    if (has) expect(await dataOf('audit')).toBe(size)
  }
  try {
    await kubernetes.create(resource, {
      apiVersion,
      kind: 'ControlPlane',
      metadata: key,
      spec: specOf('here'),
    })
    await ask('reconcile')
    await runAll()
    await expectAll('here')
    await ask('reconcile', { spec: specOf('there') })
    await runAll()
    await expectAll('there')
    const { status, metadata } = (await live()) ?? spent
    expect(recordOf(status).providerStatus).toEqual({ size: 'there' })
    const types = (recordOf(status).conditions as { readonly type: string }[]).map(({ type }) => type)
    expect(types.toSorted()).toEqual(has ? ['AuditReady', 'Ready'] : ['Ready'])
    expect(metadata.finalizers).toHaveLength(has ? 2 : 1)

    await ask('migrate')
    await runAll()
    if (has) expect(await dataOf('audit')).toBeUndefined()
    expect((await live())?.metadata.finalizers ?? []).toEqual([])
    await ask('restore')
    await runAll()
    await expectAll('there')

    await kubernetes.patch(resource, key, {
      metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
    })
    await kubernetes.delete(resource, key)
    await runAll()
    expect(await live()).toBeUndefined()
    await expectAll(undefined)
    expect(seed.disturbed).toEqual([])
    if (has) expect(seed.checked()).toBeGreaterThan(8)
    return { lastOperations: seed.lastOperations, lives: seed.lives() }
  } finally {
    seed.close()
  }
}

const seeds = Array.from({ length: 40 }, (_, index) => String(index))

test('beside a secondary function, the primary has the same history', async () => {
  const alone = await lifeOf(createRandom('alone'), [primary], false)
  expect(alone.lastOperations).toContain('Restore Succeeded')
  for (const seed of seeds.slice(0, 15)) {
    const beside = await lifeOf(createRandom(seed), [primary, secondary], false)
    expect(beside.lastOperations).toEqual(alone.lastOperations)
  }
})

test('both reach their ends in random interleavings with crashes', async () => {
  let lives = 0
  for (const seed of seeds) lives += (await lifeOf(createRandom(seed), [primary, secondary], true)).lives
  expect(lives).toBeGreaterThan(100)
})

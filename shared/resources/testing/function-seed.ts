import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../clock/clock.ts'
import { annotations } from '../../contract/constants.ts'
import { allCrds, resourceCrds } from '../../contract/crds/crd-of.ts'
import { kinds } from '../../contract/kinds.ts'
import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { eventId } from '../../events/events.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../kubernetes/kubernetes.ts'
import {
  type Actuator,
  type Backend,
  dueWork,
  lifecyclePermissions,
  runStep,
  secrets,
} from '../../lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../runtime/runtime.ts'
import { readManifests } from '../resources.ts'
import { imitatedResourceManager } from './resource-manager.ts'

/** Created once: they take longer than a life of an object. */
const crds = [...allCrds(), ...resourceCrds()]
const managedResources = managedResourceKind.resource

/** Hooks that end a call without a response, by throwing before or after it takes effect. */
export interface Interference {
  readonly before?: (call: string) => void | Promise<void>
  readonly after?: (call: string) => void | Promise<void>
}

export interface FunctionSeedOptions {
  readonly definition: FunctionDefinition
  /** Namespace of the objects and their ManagedResources. */
  readonly namespace: string
  /** Existing objects with their resources. */
  readonly objects?: readonly (readonly [GroupVersionResource, KubernetesObject])[]
  readonly settings?: Readonly<Record<string, unknown>>
  /** Replaces the actuator of the definition. */
  readonly actuator?: Actuator<never>
  /** CRDs besides those of Gardener's extensions. */
  readonly definitions?: readonly KubernetesObject[]
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
}

/** A seed with one function and the ManagedResources of its objects. Events run steps. */
export const functionSeed = async ({
  definition,
  namespace,
  objects = [],
  settings = {},
  actuator,
  definitions = [],
  instant = true,
}: FunctionSeedOptions) => {
  const { kind } = definition
  const { resource } = kinds[kind]
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const server = createApiServer({ clock, objects: [...crds, ...definitions] })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  )
  for (const [of, object] of objects) await kubernetes.create(of, object)
  const resourceManager = imitatedResourceManager(kubernetes, namespace)

  const requests: string[] = []
  let interfere: Interference = {}
  const called = async <T>(verb: string, what: string, work: () => Promise<T>): Promise<T> => {
    const call = `${verb} ${what}`
    await interfere.before?.(call)
    requests.push(call)
    const answer = await work()
    if (instant && verb !== 'get' && verb !== 'list' && what.startsWith('managedresources'))
      await resourceManager.work()
    await interfere.after?.(call)
    return answer
  }
  const recorded: Kubernetes = {
    ...kubernetes,
    get: (of, object, ...rest) =>
      called('get', `${of.plural} ${object.name}`, () => kubernetes.get(of, object, ...rest)),
    list: (of, ...rest) => called('list', of.plural, () => kubernetes.list(of, ...rest)),
    create: (of, object, ...rest) =>
      called('create', `${of.plural} ${object.metadata.name}`, () => kubernetes.create(of, object, ...rest)),
    patch: (of, object, patch, options = {}) =>
      called(
        'patch',
        `${of.plural}${options.subresource ? `/${options.subresource}` : ''} ${object.name}`,
        () => kubernetes.patch(of, object, patch, options),
      ),
    delete: (of, object, ...rest) =>
      called('delete', `${of.plural} ${object.name}`, () => kubernetes.delete(of, object, ...rest)),
  }

  const lines: { readonly message: string }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const { types, classes, finalizerSuffix, resyncMs } = definition
  const backend = {
    kind,
    types,
    classes,
    ...(finalizerSuffix !== undefined && { finalizerSuffix }),
    ...(resyncMs !== undefined && { resyncMs }),
    actuator: actuator ?? definition.create(definition.settings.parse(settings), { clock }),
  } as Backend
  const port = permittedKubernetes(recorded, [...lifecyclePermissions(kind), ...definition.permissions])

  const keyOf = (name: string) => ({ name, namespace })
  const read = (name: string) => kubernetes.get(resource, keyOf(name))
  const due = async (name: string) => {
    const object = await read(name)
    return object && dueWork(kind, object, clock.now())
  }
  const step = async (name: string) => {
    const object = await read(name)
    const work = await due(name)
    const id =
      object === undefined || work === undefined || work.kind === 'none'
        ? 'nothing'
        : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, work.operation, work.cause)
    return runStep(
      { kubernetes: port, clock, log: { debug: write, info: write, warn: write, error: write }, backend },
      { id, reason: 'due', ...keyOf(name) },
      new AbortController().signal,
    )
  }
  const managedResource = async (name: string) =>
    (await kubernetes.get(managedResources, keyOf(name))) as ManagedResource | undefined
  const ask = (name: string, operation: string) =>
    kubernetes.patch(resource, keyOf(name), {
      metadata: {
        annotations: {
          [annotations.operation]: operation,
          [annotations.timestamp]: new Date(clock.now()).toISOString(),
        },
      },
    })
  const statusOf = async (name: string) => {
    const status = Object(Object(await read(name)).status)
    return { conditions: [], ...status } as {
      readonly lastOperation?: { readonly state?: string; readonly description?: string }
      readonly lastError?: { readonly description?: string; readonly codes?: readonly string[] }
      readonly conditions: readonly {
        readonly type: string
        readonly status: string
        readonly message: string
      }[]
    }
  }

  return {
    namespace,
    clock,
    kubernetes,
    resourceManager,
    requests,
    lines,
    due,
    step,
    read,
    statusOf,
    managedResource,
    /** Returns the function's requests since the last call, without reads. */
    writes: () => requests.splice(0).filter(request => !/^(get|list) /.test(request)),
    interfereWith: (next: Interference) => {
      interfere = next
    },
    /** Creates an object and requests an operation, like gardenlet. */
    make: (object: KubernetesObject, operation = 'reconcile') =>
      kubernetes.create(resource, {
        ...object,
        metadata: {
          ...object.metadata,
          namespace,
          annotations: { ...object.metadata.annotations, [annotations.operation]: operation },
        },
      }),
    ask,
    /** Deletes the object as gardenlet does. */
    remove: async (name: string) => {
      await kubernetes.patch(resource, keyOf(name), {
        metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } },
      })
      await kubernetes.delete(resource, keyOf(name))
    },
    change: (name: string, patch: object) => kubernetes.patch(resource, keyOf(name), patch),
    /**
     * Runs steps, with the resource manager between them, until nothing is due. Returns the status descriptions of the
     * waits.
     */
    settle: async (name: string, most = 60) => {
      const waits: string[] = []
      for (let count = 0; count < most; count++) {
        await step(name)
        await resourceManager.work()
        const work = await due(name)
        if (work === undefined || work.kind === 'none') return waits
        const resync = 'at' in work && Number(work.at) - clock.now() > 30 * 60_000
        if (resync) return waits
        waits.push(String((await statusOf(name)).lastOperation?.description))
        await clock.advance(Math.max(1_000, 'at' in work ? Number(work.at) - clock.now() : 0))
      }
      throw new Error(`not done after ${most} steps: ${waits.at(-1)}`)
    },
    secretNames: async () =>
      (await kubernetes.list(secrets, { namespace })).items.map(({ metadata }) => metadata.name).sort(),
    managedResources: async () =>
      (await kubernetes.list(managedResources, { namespace })).items.map(({ metadata }) => metadata.name),
    /** The objects of the ManagedResource. */
    objectsOf: async (name: string): Promise<readonly KubernetesObject[]> => {
      const [secret] = (await managedResource(name))?.spec?.secretRefs ?? []
      const found = await kubernetes.get(secrets, keyOf(secret?.name ?? ''))
      return readManifests(Object(found?.data)) as Promise<readonly KubernetesObject[]>
    },
  }
}

/** A process that dies at its n-th write. No later write reaches its target. */
export const dyingAt = (n: number, when: 'before' | 'after') => {
  let writes = 0
  let dead = false
  const die = () => {
    dead = true
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }
  const interference: Interference = {
    before: call => {
      if (dead) die()
      if (/^(get|list) /.test(call)) return
      writes++
      if (when === 'before' && writes === n) die()
    },
    after: () => {
      if (dead || (when === 'after' && writes >= n)) die()
    },
  }
  return { interference, died: () => dead }
}

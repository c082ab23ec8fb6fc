import {
  createSteppedSeed,
  isWriteRequest,
  type RunOptions,
  requestText,
  type SteppedSeedOptions,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../clock/clock.ts'
import { clusterKind, kinds } from '../../contract/kinds.ts'
import type { ControlPlane, ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type Actuator, secrets } from '../../lifecycle/lifecycle.ts'
import { readManifests } from '../resources.ts'
import { imitatedResourceManager } from './resource-manager.ts'

const managedResources = managedResourceKind.resource

/** Hooks that end a call without a response, by throwing before or after it takes effect. */
export interface Interference {
  readonly before?: (call: string) => void | Promise<void>
  readonly after?: (call: string) => void | Promise<void>
}

export interface FunctionSeedOptions
  extends Pick<SteppedSeedOptions, 'definition' | 'objects' | 'settings' | 'waits'> {
  /** Namespace of the objects and their ManagedResources. */
  readonly namespace: string
  /** Replaces the actuator of the definition. */
  readonly actuator?: Actuator<never>
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
}

/** A seed with one function, and a resource manager that works between steps. */
export const functionSeed = async ({
  namespace,
  actuator,
  instant = true,
  ...options
}: FunctionSeedOptions) => {
  const { kind } = options.definition
  const { resource } = kinds[kind]
  const { objects = [] } = options
  const hasNamespace = objects.some(
    ({ kind: of, metadata }) => of === 'Namespace' && metadata.name === namespace,
  )
  const seed = createSteppedSeed({
    ...options,
    definition:
      actuator === undefined
        ? options.definition
        : { ...options.definition, create: () => actuator as never },
    objects: [
      ...objects,
      ...(hasNamespace ? [] : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]),
    ],
    clock: virtualClock(Date.parse('2026-11-21T12:00:00.250Z')),
    others: () => resourceManager.work(),
  })
  const { kubernetes, clock, lines } = seed
  const resourceManager = imitatedResourceManager(kubernetes, namespace)

  const requests: string[] = []
  let interfere: Interference = {}
  seed.interfereWith({
    before: async request => {
      await interfere.before?.(requestText(request))
      requests.push(requestText(request))
    },
    after: async request => {
      if (instant && isWriteRequest(request) && request.resource.startsWith('managedresources'))
        await resourceManager.work()
      await interfere.after?.(requestText(request))
    },
  })

  const keyOf = (name: string) => ({ name, namespace })
  const of = (name: string) => seed.object(keyOf(name))
  const list = async (listed: GroupVersionResource) => (await kubernetes.list(listed, { namespace })).items
  const managedResource = async (name: string) =>
    (await kubernetes.get(managedResources, keyOf(name))) as ManagedResource | undefined
  const statusOf = async (name: string) =>
    // The kinds have these fields of the status alike.
    ({ conditions: [], ...Object(Object(await of(name).live()).status) }) as NonNullable<
      ControlPlane['status']
    > & { readonly conditions: readonly { type: string; status: string; message: string }[] }
  const converge = (name: string, options: RunOptions = {}) =>
    of(name).run({ mostSteps: 60, longestPauseMs: 30 * 60_000, ...options })
  const change = (name: string, patch: object) => kubernetes.patch(resource, keyOf(name), patch)

  return {
    namespace,
    clock,
    kubernetes,
    resourceManager,
    requests,
    lines,
    due: (name: string) => of(name).due(),
    step: (name: string) => of(name).step(),
    read: (name: string) => of(name).live(),
    statusOf,
    managedResource,
    /** Returns the function's requests since the last call, without reads. */
    writes: () => requests.splice(0).filter(request => !/^(get|list) /.test(request)),
    interfereWith: (next: Interference) => {
      interfere = next
    },
    /** Creates an object and requests an operation, like gardenlet. */
    make: (object: KubernetesObject, operation = 'reconcile') =>
      of(object.metadata.name).create({ ...object, metadata: { ...object.metadata, namespace } }, operation),
    ask: (name: string, operation: string) => of(name).ask(operation),
    /** Deletes the object as gardenlet does. */
    remove: (name: string) => of(name).delete(),
    change,
    changeShoot: (shoot: object) =>
      kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot } }),
    /** Runs steps until nothing is due. Returns the status descriptions of the waits. */
    converge,
    secrets: () => list(secrets),
    secretNames: async () => (await list(secrets)).map(({ metadata }) => metadata.name).sort(),
    list,
    managedResources: async () => (await list(managedResources)).map(({ metadata }) => metadata.name),
    /** The objects of the ManagedResource. */
    objectsOf: async (name: string): Promise<readonly KubernetesObject[]> => {
      const [secret] = (await managedResource(name))?.spec?.secretRefs ?? []
      const found = await kubernetes.get(secrets, keyOf(secret?.name ?? ''))
      return readManifests(Object(found?.data)) as Promise<readonly KubernetesObject[]>
    },
    /** The same for one object, which must exist. */
    only: <T extends KubernetesObject>(name: string) => {
      const live = async (): Promise<T> => {
        const object = await of(name).live()
        if (object === undefined) throw new Error(`the ${kind} is gone`)
        return object as T
      }
      return {
        due: () => of(name).due(),
        step: () => of(name).step(),
        live,
        lastOperation: async () => (await statusOf(name)).lastOperation,
        lastError: async () => (await statusOf(name)).lastError,
        isGone: async () => (await of(name).live()) === undefined,
        converge: (options?: RunOptions) => converge(name, options),
        ask: (operation: string) => of(name).ask(operation),
        /** Requests a reconcile, like gardenlet. */
        reconcile: () => of(name).ask('reconcile'),
        change: (patch: object) => change(name, patch),
        changeStatus: (status: object) =>
          kubernetes.patch(resource, keyOf(name), { status }, { subresource: 'status' }),
        remove: () => of(name).delete(),
      }
    },
  }
}

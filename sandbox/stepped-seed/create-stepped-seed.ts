import { type Clock, type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import {
  eventHandler,
  type FunctionDefinition,
  type OnStep,
  parseSettings,
} from '../../shared/runtime/runtime.ts'
import { createApiServer } from '../kubernetes/kubernetes.ts'
import { actAsPrimary } from './act-as-primary.ts'
import type { TestCall, TestCloud } from './cloud/cloud-under-test.ts'
import { completeMachines } from './complete-machines.ts'
import { completeResources } from './complete-resources.ts'
import { isWriteRequest, requestText, type SteppedRequest } from './intercepted-kubernetes.ts'
import { createStepClock } from './step-clock.ts'
import { type SteppedObject, steppedObject } from './stepped-object.ts'
import { createSteppedProcess, type RequestHooks } from './stepped-process.ts'

/** The function under test, and what surrounds it. */
export interface SteppedSeedOptions {
  readonly definition: FunctionDefinition
  /**
   * Objects that exist from the start: the namespace, its Cluster, Secrets, and CustomResourceDefinitions of others.
   * Missing namespaces are created.
   */
  readonly objects?: readonly KubernetesObject[]
  /** Settings of the function. Absent settings have their defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The cloud that the function calls. The seed uses its objects, its connection and its Secret values. */
  readonly cloud?: TestCloud
  /** The `connection` that the function's `create` gets. Default: that of `cloud`. */
  readonly connection?: unknown
  /** A clock that a simulated cloud shares. Default: a new one that starts at 2026-01-01T00:00:00Z. */
  readonly clock?: VirtualClock
  /**
   * The reaction to a step that waits with `clock.sleep` instead of returning `continueAfter`: `fail` rejects with
   * the place of the wait, `advance` advances the clock until the wait is over.
   * @default 'fail'
   */
  readonly waits?: 'fail' | 'advance'
  /**
   * The other controllers of the seed. They run before each step. Default: ManagedResources and machines become ready
   * at once. For a secondary function, its primary controller also does each requested operation at once.
   */
  readonly others?: (kubernetes: Kubernetes, clock: Clock) => Promise<unknown>
  /** Called with the report of each step and its calls, as a bridge gets it. */
  readonly onStep?: OnStep
  /**
   * Another API server: the clients of its administrator and of the function. It already has the objects. Default: one
   * in memory.
   */
  readonly api?: { readonly administrator: Kubernetes; readonly fn: Kubernetes }
}

/**
 * A seed for testing one function: an API server in memory, no socket, and a clock that advances only between steps.
 * The work of other controllers on ManagedResources and machines is done at once between two steps.
 */
export interface SteppedSeed {
  /** A client for other actors. Its writes are not in `writes`. */
  readonly kubernetes: Kubernetes
  /** `sleep` counts as a wait of the running step. Use it for a cloud whose calls take time. */
  readonly clock: VirtualClock
  /** The function's requests in order. Each `apply`, `request` and `remove` clears the list. */
  readonly requests: readonly SteppedRequest[]
  /** The function's calls to the `cloud`, in order. Cleared like `requests`. */
  readonly calls: readonly TestCall[]
  /** Returns the writes among the requests: `patch dnsrecords/status rose`. */
  readonly writes: () => readonly string[]
  /** The function's log. */
  readonly lines: readonly { readonly message: string; readonly [field: string]: unknown }[]
  /**
   * Creates an object of the function's kind or updates its spec, requests a reconcile as gardenlet does, and runs
   * steps until none is due.
   */
  apply(object: KubernetesObject): Promise<KubernetesObject>
  /**
   * Runs the health checks of the function, and returns the object with its conditions.
   *
   * @example
   * const { status } = await seed.check(extension)
   */
  check(object: KubernetesObject): Promise<KubernetesObject>
  /** Requests another operation of an existing object. */
  request(object: KubernetesObject, operation: 'migrate' | 'restore'): Promise<KubernetesObject | undefined>
  /** Deletes the object. Resolves to undefined, or to the object if its deletion failed. */
  remove(object: KubernetesObject): Promise<KubernetesObject | undefined>
  /**
   * Returns one object of the function's kind, for tests that look at each step.
   *
   * @example
   * const record = seed.object({ name: 'rose', namespace })
   * await record.ask('reconcile')
   * expect(await record.step()).toEqual({ kind: 'recorded', how: 'continues' })
   * expect(await record.due()).toMatchObject({ kind: 'later' })
   */
  object(key: ObjectKey): SteppedObject
  /**
   * Crashes the function's process at its n-th action from now (the first is 1), before or after that takes effect.
   * Each write to the API server and each call of the `cloud` is an action. The next step runs in a new process.
   *
   * @example
   * seed.dieAt(2, 'after')
   * await seed.apply(record)
   */
  dieAt(action: number, when: 'before' | 'after'): void
  /** Starts a new process. Its memory is empty. */
  restart(): void
  /** True if the process has crashed and no new one has started. */
  hasDied(): boolean
  /**
   * Sets hooks around the function's requests, instead of the previous ones.
   *
   * @example
   * seed.interfereWith({
   *   before: ({ verb, resource }) => {
   *     if (verb === 'patch' && resource === 'dnsrecords/status') throw new Error('socket hang up')
   *   },
   * })
   */
  interfereWith(hooks: RequestHooks): void
  close(): void
}

/** Created once for all seeds, because it takes longer than most steps. */
const definitions = [...allCrds(), ...machineCrds(), ...resourceCrds()]

/**
 * Creates a seed for one function.
 *
 * @example
 * const objects = shootObjects({ namespace: 'shoot--garden--rose', secrets: { cloudprovider: { token: 'planted' } } })
 * const seed = createSteppedSeed({ definition, objects })
 * const { status } = await seed.apply(record)
 * seed.close()
 *
 * @example
 * const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
 * const { requestHandler } = createAws({ clock })
 * const seed = createSteppedSeed({ definition, objects, clock, connection: { requestHandler }, waits: 'advance' })
 */
export const createSteppedSeed = ({
  definition,
  objects = [],
  settings = {},
  cloud = noCloud,
  connection = cloud.connection,
  clock = virtualClock(Date.parse('2026-01-01T00:00:00Z')),
  waits = 'fail',
  others = completeAll,
  onStep,
  api,
}: SteppedSeedOptions): SteppedSeed => {
  const {
    administrator: kubernetes,
    fn,
    close,
  } = api ? { ...api, close: () => {} } : inMemory(clock, objectsWith(objects, cloud))
  let hooks: RequestHooks = {}
  const process = createSteppedProcess(fn, () => hooks)
  const { requests, calls } = process
  cloud.passCalls?.(process.call)
  const stepClock = createStepClock(clock, { name: definition.name, waits })
  const values = parseSettings(definition.settings, { flags: settings, env: {} })
  const lines: { readonly message: string }[] = []
  const note = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const startProcess = () =>
    eventHandler(definition, values, {
      kubernetes: process.start(),
      clock: stepClock.clock,
      log: { debug: note, info: note, warn: note, error: note },
      ...(connection !== undefined && { connection }),
      ...(onStep && { onStep }),
    })
  let handle = startProcess()
  const restart = () => {
    handle = startProcess()
  }
  const object = (key: ObjectKey) =>
    steppedObject({
      kind: definition.kind,
      key,
      secondary: definition.secondary && definition.name,
      kubernetes,
      clock,
      handle: event => {
        if (process.hasDied()) restart()
        return stepClock.run(signal => handle(event, signal))
      },
      others: async () => {
        await others(kubernetes, clock)
        if (definition.secondary !== undefined) await actAsPrimary(kubernetes, definition.kind, key, clock)
      },
    })
  const started = (key: ObjectKey): SteppedObject => {
    requests.length = 0
    calls.length = 0
    return object(key)
  }
  const ended = async (one: SteppedObject): Promise<KubernetesObject | undefined> => {
    await one.run()
    return one.live()
  }

  return {
    kubernetes,
    clock: { ...clock, sleep: stepClock.clock.sleep },
    requests,
    calls,
    lines,
    writes: () => requests.filter(isWriteRequest).map(requestText),
    object,
    dieAt: process.dieAt,
    hasDied: process.hasDied,
    restart,
    interfereWith: next => {
      hooks = next
    },
    apply: async applied => {
      const one = started(keyOf(applied))
      if ((await one.live()) === undefined) await one.create(applied)
      else await one.ask('reconcile', { spec: applied.spec })
      const left = await ended(one)
      if (left === undefined)
        throw new Error(`${definition.kind} ${applied.metadata.name} is gone, but the test did not delete it`)
      return left
    },
    check: async checked => {
      const one = started(keyOf(checked))
      const outcome = await one.check()
      const live = await one.live()
      if (outcome?.kind !== 'recorded' || live === undefined)
        throw new Error(`the health checks wrote nothing: ${JSON.stringify(outcome)}`)
      return live
    },
    request: async (asked, operation) => {
      const one = started(keyOf(asked))
      await one.ask(operation)
      return ended(one)
    },
    remove: async removed => {
      const one = started(keyOf(removed))
      await one.delete()
      return ended(one)
    },
    close,
  }
}

const noCloud: TestCloud = { things: () => [] }

/** Returns the objects of a seed with those of its cloud, and with the cloud's values in the Secrets. */
const objectsWith = (
  given: readonly KubernetesObject[],
  { objects = [], secret = {} }: TestCloud,
): readonly KubernetesObject[] =>
  [...given, ...objects].map(object => {
    if (object.kind !== 'Secret') return object
    const { data, stringData } = object as Readonly<Partial<Record<'data' | 'stringData', object | null>>>
    const replaced = (fields: object | null | undefined, encoding: 'base64' | 'utf8') =>
      Object.fromEntries(
        Object.entries(fields ?? {}).map(([key, value]) => {
          const text = secret[key]
          return [key, text === undefined ? value : Buffer.from(text).toString(encoding)]
        }),
      )
    return { ...object, data: replaced(data, 'base64'), stringData: replaced(stringData, 'utf8') }
  })

const completeAll = async (kubernetes: Kubernetes, clock: Clock): Promise<void> => {
  await completeMachines(kubernetes)
  await completeResources(kubernetes, clock.now())
}

const inMemory = (clock: Clock, objects: readonly KubernetesObject[]) => {
  const isOf = (wanted: string) => (one: KubernetesObject) => one.kind === wanted
  const given = new Set(objects.filter(isOf('Namespace')).map(({ metadata }) => metadata.name))
  const used = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
  const missing = [...used]
    .filter(name => !given.has(name))
    .map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const isFirst = (one: KubernetesObject) => isOf('CustomResourceDefinition')(one) || isOf('Namespace')(one)
  const { transport, close } = createApiServer({
    clock,
    objects: [
      ...definitions,
      ...missing,
      ...objects.filter(isFirst),
      ...objects.filter(one => !isFirst(one)),
    ],
  })
  const administrator = createKubernetes({ transport, clock })
  return { administrator, fn: administrator, close }
}

const keyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

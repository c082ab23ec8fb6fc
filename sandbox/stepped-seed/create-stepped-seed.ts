import { formatMilliseconds, type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { eventHandler, type FunctionDefinition, parseSettings } from '../../shared/runtime/runtime.ts'
import { createApiServer } from '../kubernetes/kubernetes.ts'
import { mortalKubernetes } from './mortal-kubernetes.ts'
import { settleMachines } from './settle-machines.ts'
import { settleResources } from './settle-resources.ts'

export interface SteppedSeedOptions {
  readonly definition: FunctionDefinition
  /** Objects that exist from the start: the namespace, its Cluster, Secrets. */
  readonly objects?: readonly KubernetesObject[]
  /** Settings of the function. Absent settings have their defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The `connection` that the function's `create` gets. */
  readonly connection?: unknown
}

/**
 * A seed for testing one function: an API server in memory, no socket, and a clock that advances only between steps.
 * The work of other controllers on ManagedResources and machines is done at once between two steps.
 */
export interface SteppedSeed {
  /** A client for other actors. Its writes are not in `writes`. */
  readonly kubernetes: Kubernetes
  readonly clock: VirtualClock
  /**
   * Returns the function's writes in order: `patch dnsrecords/status rose`. Each `apply`, `request` and `remove` clears
   * the list.
   */
  readonly writes: () => readonly string[]
  /**
   * Creates an object of the function's kind or updates its spec, requests a reconcile as gardenlet does, and runs
   * steps until none is due.
   */
  apply(object: KubernetesObject): Promise<KubernetesObject>
  /** Requests another operation of an existing object. */
  request(object: KubernetesObject, operation: 'migrate' | 'restore'): Promise<KubernetesObject | undefined>
  /** Deletes the object. Resolves to undefined, or to the object if its deletion failed. */
  remove(object: KubernetesObject): Promise<KubernetesObject | undefined>
  /**
   * Crashes the function's process at its n-th write from now (the first is 1), before or after the write takes effect.
   * The next step runs in a new process.
   */
  dieAt(write: number, when: 'before' | 'after'): void
  close(): void
}

/** Upper limit of steps: after this many, nothing will change. */
const mostSteps = 100

/** The longest pause to wait for, in milliseconds. Retries after errors have growing pauses. */
const longestPauseMs = 120_000

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * @example
 * const seed = createSteppedSeed({ definition, objects: [namespace, cluster, secret] })
 * const { status } = await seed.apply(record)
 * seed.close()
 */
export const createSteppedSeed = ({
  definition,
  objects = [],
  settings = {},
  connection,
}: SteppedSeedOptions): SteppedSeed => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const server = createApiServer({
    clock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds(), ...objects],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const mortal = mortalKubernetes(kubernetes)
  const { kind } = definition
  const { resource } = kinds[kind]
  const values = parseSettings(definition.settings, { flags: settings, env: {} })
  const startProcess = () =>
    eventHandler(definition, values, {
      kubernetes: mortal.port(),
      clock,
      log: silent,
      ...(connection !== undefined && { connection }),
    })

  const settle = async (key: ObjectKey): Promise<KubernetesObject | undefined> => {
    let handle = startProcess()
    for (let step = 0; step < mostSteps; step++) {
      await settleMachines(kubernetes)
      await settleResources(kubernetes, clock.now())
      const object = await kubernetes.get(resource, key)
      if (object === undefined) return undefined
      const work = dueWork(kind, object, clock.now())
      if (work.kind === 'none') return object
      if (work.kind === 'later') {
        const pauseMs = work.at - clock.now()
        if (pauseMs > longestPauseMs) return object
        await clock.advance(pauseMs)
        continue
      }
      const { operation, cause, reason, attempt } = work
      const about = { object, kind, operation, cause, reason, attempt, source: '/seeds/stepped' }
      await handle(buildEvent({ ...about, now: clock.now() }), new AbortController().signal)
      if (mortal.died()) handle = startProcess()
    }
    throw new Error(`${kind} ${key.name}: work is still due after ${mostSteps} steps`)
  }

  /** Each request has a new timestamp, which identifies it as a new one. */
  const asking = async (operation: string) => {
    await clock.advance(1)
    mortal.forgetWrites()
    return { [annotations.operation]: operation, [annotations.timestamp]: formatMilliseconds(clock.now()) }
  }

  return {
    kubernetes,
    clock,
    writes: mortal.writes,
    dieAt: mortal.dieAt,
    apply: async object => {
      const key = keyOf(object)
      const asked = await asking('reconcile')
      const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...asked } }
      if ((await kubernetes.get(resource, key)) === undefined)
        await kubernetes.create(resource, { ...object, metadata })
      else await kubernetes.patch(resource, key, { metadata: { annotations: asked }, spec: object.spec })
      const left = await settle(key)
      if (left === undefined) throw new Error(`${kind} ${key.name} was deleted unexpectedly`)
      return left
    },
    request: async (object, operation) => {
      const key = keyOf(object)
      await kubernetes.patch(resource, key, { metadata: { annotations: await asking(operation) } })
      return settle(key)
    },
    remove: async object => {
      const key = keyOf(object)
      const confirmed = { [annotations.deletionConfirmation]: 'true' }
      mortal.forgetWrites()
      await kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await kubernetes.delete(resource, key)
      return settle(key)
    },
    close: server.close,
  }
}

const keyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey => ({
  name,
  ...(namespace !== undefined && { namespace }),
})

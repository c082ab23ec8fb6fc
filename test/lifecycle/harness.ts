import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { interceptedKubernetes } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { apiVersion, labels } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { eventId } from '../../shared/events/events.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { Backend, StepEvent, StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import {
  type Actuator,
  done,
  dueWork,
  runStep,
  type StepContext,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { type Sample, sampleObject, shootNamespace } from './sample-objects.ts'

/** Created once for all seeds, because it takes longer than most steps. */
const crds = allCrds()

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** One request of a step: the verb (`patch status`, `get`, …), the resource, and the patch if it has one. */
export interface RecordedRequest {
  readonly verb: string
  readonly plural: string
  readonly patch?: Readonly<Record<string, unknown>>
}

export interface HarnessOptions {
  readonly actuator?: Partial<Actuator>
  readonly backend?: Partial<Omit<Backend, 'kind' | 'actuator'>>
  /** Fields of the Shoot in the Cluster. Null: there is no Cluster. */
  readonly shoot?: Readonly<Record<string, unknown>> | null
  readonly namespaceLabels?: Readonly<Record<string, string>>
  /** Data of the Secret. Null: there is no Secret. */
  readonly secret?: Readonly<Record<string, string>> | null
  /** Default: a silent log. */
  readonly log?: Log
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Returns a seed with one object of a kind and the backend of its type. Events run steps on it. */
export const harness = async (kind: KindName, options: HarnessOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const labelled = options.namespaceLabels ?? { [labels.role]: 'shoot' }
  const { secret = { key: btoa('planted-secret-value') }, shoot = {} } = options
  const around = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shootNamespace, labels: labelled } },
    shoot && {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: shootNamespace },
      spec: { cloudProfile: {}, seed: {}, shoot },
    },
    secret && {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'credentials', namespace: shootNamespace },
      data: secret,
    },
  ]
  const server = createApiServer({ clock, objects: [...crds, ...around.filter(object => object !== null)] })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const { resource } = kinds[kind]
  const key: ObjectKey = kinds[kind].namespaced ? { name: 'it', namespace: shootNamespace } : { name: 'it' }

  const calls: { readonly operation: string; readonly context: StepContext }[] = []
  const called =
    <C extends StepContext>(
      operation: string,
      run: (context: C) => Promise<StepResult> = async () => done(),
    ) =>
    (context: C): Promise<StepResult> => {
      calls.push({ operation, context })
      return run(context)
    }
  const { actuator = {} } = options
  const backend: Backend = {
    kind,
    types: ['test'],
    ...options.backend,
    actuator: {
      ...actuator,
      reconcile: called('reconcile', actuator.reconcile),
      remove: called('remove', actuator.remove),
      ...(actuator.forceRemove && { forceRemove: called('forceRemove', actuator.forceRemove) }),
      ...(actuator.migrate && { migrate: called('migrate', actuator.migrate) }),
      ...(actuator.restore && { restore: called('restore', actuator.restore) }),
    },
  }

  const requests: RecordedRequest[] = []
  const observed = recording(kubernetes, requests)
  let events = 0
  /** Returns the id of the bridge's event for the current or next work of the object. */
  const dueId = async (): Promise<string> => {
    const object = await kubernetes.get(resource, key)
    const due = object && dueWork(kind, object, clock.now())
    return object === undefined || due === undefined || due.kind === 'none'
      ? `event-${events++}`
      : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, due.operation, due.cause)
  }
  const isDue = async (): Promise<boolean> => {
    const object = await kubernetes.get(resource, key)
    return object !== undefined && dueWork(kind, object, clock.now()).kind === 'emit'
  }
  /** Without an id, the event is the bridge's event for the work that is due now, otherwise one that names nothing. */
  const step = async (
    event: Partial<StepEvent> = {},
    port: Kubernetes = observed,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<StepOutcome> =>
    runStep(
      { kubernetes: port, clock, log: options.log ?? silent, backend },
      {
        id: event.id ?? ((await isDue()) ? await dueId() : `event-${events++}`),
        reason: 'annotation',
        ...key,
        ...event,
      },
      signal,
    )

  return {
    clock,
    server,
    kubernetes,
    observed,
    requests,
    calls,
    backend,
    step,
    dueId,
    create: (sample?: Sample) => kubernetes.create(resource, sampleObject(kind, sample)),
    patch: (patch: object, subresource?: 'status') =>
      kubernetes.patch(resource, key, patch, subresource === undefined ? {} : { subresource }),
    remove: () => kubernetes.delete(resource, key),
    /** Returns the live object. Throws if it is gone. */
    live: async (): Promise<LiveObject> => {
      const object = await kubernetes.get(resource, key)
      if (object === undefined) throw new Error('the object was deleted')
      return object as LiveObject
    },
    isGone: async () => (await kubernetes.get(resource, key)) === undefined,
  }
}
export type Harness = Awaited<ReturnType<typeof harness>>

export type LiveObject = KubernetesObject & {
  readonly status?: {
    readonly lastOperation?: {
      readonly type: string
      readonly state: string
      readonly progress: number
      readonly description: string
      readonly lastUpdateTime: string
    }
    readonly lastError?: {
      readonly description: string
      readonly codes?: readonly string[]
      readonly lastUpdateTime?: string
    }
    readonly observedGeneration?: number
    readonly [field: string]: unknown
  }
}

const recording = (kubernetes: Kubernetes, requests: RecordedRequest[]): Kubernetes =>
  interceptedKubernetes(kubernetes, ({ verb, resource, body }, work) => {
    const [plural = '', subresource] = resource.split('/')
    if (verb === 'get') requests.push({ verb, plural })
    else if (verb === 'patch')
      requests.push({
        verb: subresource === 'status' ? 'patch status' : 'patch',
        plural,
        patch: body as Record<string, unknown>,
      })
    return work()
  })

/** Advances the clock and lets the running step continue. */
export const pass = (clock: VirtualClock, seconds: number): Promise<void> => clock.advance(seconds * 1000)

import {
  createSteppedSeed,
  interceptedKubernetes,
  type SteppedRequest,
  shootObjects,
} from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { ControlPlane } from '../../shared/contract/objects.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { eventId } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import {
  type Actuator,
  type Backend,
  done,
  runStep,
  type StepContext,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { defineFunction } from '../../shared/runtime/define-function.ts'
import { type Sample, sampleObject, shootNamespace } from './sample-objects.ts'

export interface HarnessOptions {
  readonly actuator?: Partial<Actuator>
  readonly backend?: Partial<Omit<Backend, 'kind' | 'actuator'>>
  /** Fields of the Shoot in the Cluster. Null: there is no Cluster. `none`: the namespace is not that of a shoot. */
  readonly shoot?: Readonly<Record<string, unknown>> | null | 'none'
  /** Data of the Secret in plain text. Null: there is no Secret. */
  readonly secret?: Readonly<Record<string, string>> | null
  /** Default: a silent log. */
  readonly log?: Log
}

/** An event as tests give it. Default: the bridge's event for work that is due now, else one that names nothing. */
type TestEvent = Partial<Parameters<typeof runStep>[1]>

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Returns a stepped seed with one object of a kind and the backend of its type. Any event runs a step on it. */
export const harness = async (
  kind: KindName,
  {
    actuator = {},
    backend: more,
    shoot = {},
    secret = { key: 'planted-secret-value' },
    log = silent,
  }: HarnessOptions = {},
) => {
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
  const { forceRemove, migrate, restore } = actuator
  const backend: Backend = {
    kind,
    types: ['test'],
    ...more,
    actuator: {
      ...actuator,
      reconcile: called('reconcile', actuator.reconcile),
      remove: called('remove', actuator.remove),
      ...(forceRemove && { forceRemove: called('forceRemove', forceRemove) }),
      ...(migrate && { migrate: called('migrate', migrate) }),
      ...(restore && { restore: called('restore', restore) }),
    },
  }
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const { kubernetes, object } = createSteppedSeed({
    definition: defineFunction({ name: 'test', kind, type: 'test', create: () => backend.actuator }),
    objects: shootObjects({
      namespace: shootNamespace,
      ...(typeof shoot === 'object' && shoot && { shoot }),
      ...(secret && { secrets: { credentials: secret } }),
    }).filter(
      ({ kind: of }) => of === 'Secret' || (shoot !== 'none' && (of === 'Namespace' || shoot !== null)),
    ),
    clock,
  })
  const { resource, namespaced } = kinds[kind]
  const key: ObjectKey = namespaced ? { name: 'it', namespace: shootNamespace } : { name: 'it' }
  const one = object(key)

  const failures: string[] = []
  const requests: SteppedRequest[] = []
  const observed = interceptedKubernetes(kubernetes, (request, work) => {
    requests.push(request)
    return work()
  })
  let events = 0
  /** Returns the id of the bridge's event for the current or next work of the object. */
  const dueId = async (): Promise<string> => {
    const [live, due] = [await one.live(), await one.due()]
    return live === undefined || due === undefined || due.kind === 'none'
      ? `event-${events++}`
      : eventId(live.metadata.uid ?? '', live.metadata.generation ?? 0, due.operation, due.cause)
  }
  const idNow = async () => ((await one.due())?.kind === 'emit' ? dueId() : `event-${events++}`)
  /** Returns the live object. Throws if it is gone. */
  const live = async (): Promise<LiveObject> => {
    const found = await one.live()
    if (found === undefined) throw new Error('the object was deleted')
    return found as LiveObject
  }
  const stepAnnotation = async () =>
    parseStepAnnotation((await live()).metadata.annotations?.[annotations.step])

  return {
    clock,
    kubernetes,
    observed,
    requests,
    /** The reasons of failed steps. */
    failures,
    calls,
    backend,
    due: one.due,
    dueId,
    live,
    stepAnnotation,
    step: async (
      event: TestEvent = {},
      port: Kubernetes = observed,
      signal: AbortSignal = new AbortController().signal,
    ) =>
      runStep(
        { kubernetes: port, clock, log, backend, onFailure: why => failures.push(why) },
        { id: event.id ?? (await idNow()), reason: 'annotation', ...key, ...event },
        signal,
      ),
    create: (sample?: Sample) => kubernetes.create(resource, sampleObject(kind, sample)),
    patch: (patch: object, subresource?: 'status') =>
      kubernetes.patch(resource, key, patch, subresource === undefined ? {} : { subresource }),
    remove: () => kubernetes.delete(resource, key),
    isGone: async () => (await one.live()) === undefined,
    /** Returns the milliseconds until the scheduled step. */
    waitMs: async () => Date.parse((await stepAnnotation())?.until ?? '') - clock.now(),
    /** Returns the bodies of the status writes. */
    statusWrites: () => requests.flatMap(({ resource: of, body }) => (of.endsWith('/status') ? [body] : [])),
  }
}
export type Harness = Awaited<ReturnType<typeof harness>>

/** All kinds have these fields of the status alike. */
export type LiveObject = KubernetesObject & {
  readonly status?: NonNullable<ControlPlane['status']> & Readonly<Record<string, unknown>>
}

import { formatMilliseconds, type VirtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { buildEvent, type ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { type DueWork, dueWork, type StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import { type DueObservation, dueObservation, observationEvent } from '../../shared/secondary/secondary.ts'

/** Limits of a run. */
export interface RunOptions {
  /**
   * The longest pause to wait for, in milliseconds. Retries after errors have growing pauses, and repeated reconciles
   * long ones.
   *
   * @default 120_000
   */
  readonly longestPauseMs?: number
  /**
   * Throws after this many steps.
   *
   * @default 100
   */
  readonly mostSteps?: number
  /** Called after each step. The run ends if it returns true. */
  readonly until?: (object: KubernetesObject | undefined) => boolean
}

/** One object of the function's kind, step by step. */
export interface SteppedObject {
  /** Returns the object, or undefined if it is gone. */
  live(): Promise<KubernetesObject | undefined>
  /** Returns the work that the bridge sees, or undefined if the object is gone. */
  due(): Promise<DueWork | DueObservation | undefined>
  /**
   * Sends the event of the object's work, also before it is due, as the bridge does when another object changes.
   * Resolves to undefined if there is no work.
   */
  step(): Promise<StepOutcome | undefined>
  /** Runs the health checks of the function. Resolves to undefined if the object is gone. */
  check(): Promise<StepOutcome | undefined>
  /**
   * Runs steps until none is due, with the other controllers and the pauses between them. Returns the description of
   * the status for each step that did not end the work.
   */
  run(options?: RunOptions): Promise<readonly string[]>
  /** Creates the object with its status, and requests an operation as gardenlet does. Default: `reconcile`. */
  create(object: KubernetesObject, operation?: string): Promise<KubernetesObject>
  /**
   * Requests an operation as gardenlet does: `reconcile`, `migrate` or `restore`. `patch` changes the object in the
   * same write.
   */
  ask(operation: string, patch?: object): Promise<KubernetesObject>
  /** Confirms the deletion and deletes the object, as gardenlet does. */
  delete(): Promise<void>
}

export interface SteppedObjectDeps {
  readonly kind: KindName
  readonly key: ObjectKey
  /** The name of a secondary function. Absent: a primary one. */
  readonly secondary?: string | undefined
  readonly kubernetes: Kubernetes
  readonly clock: VirtualClock
  readonly handle: (event: ExtensionEvent) => Promise<StepOutcome>
  /** Runs the other controllers. */
  readonly others: () => Promise<unknown>
}

export const steppedObject = ({
  kind,
  key,
  secondary,
  kubernetes,
  clock,
  handle,
  others,
}: SteppedObjectDeps): SteppedObject => {
  const { resource } = kinds[kind]
  const live = () => kubernetes.get(resource, key)
  const workOf = (object: KubernetesObject): DueWork | DueObservation =>
    secondary === undefined ? dueWork(kind, object, clock.now()) : dueObservation(kind, object, secondary)
  const due = async () => {
    const object = await live()
    return object && workOf(object)
  }
  const step = async () => {
    const object = await live()
    if (object === undefined) return undefined
    const about = { object, kind, source: '/seeds/stepped', now: clock.now() }
    if (secondary !== undefined) {
      const work = dueObservation(kind, object, secondary)
      const route = { name: secondary, type: String(Object(object.spec).type) }
      return work.kind === 'none' ? undefined : handle(observationEvent({ ...about, route, work }))
    }
    const work = dueWork(kind, object, clock.now())
    if (work.kind === 'none') return undefined
    const { operation, cause, reason, attempt } = work
    return handle(buildEvent({ ...about, operation, cause, reason, attempt }))
  }
  const check = async () => {
    const object = await live()
    if (object === undefined) return undefined
    const about = { object, kind, operation: 'healthcheck', reason: 'refresh', attempt: 0 } as const
    const now = clock.now()
    return handle(buildEvent({ ...about, cause: formatMilliseconds(now), source: '/seeds/stepped', now }))
  }
  const run: SteppedObject['run'] = async ({
    longestPauseMs = 120_000,
    mostSteps = 100,
    until = () => false,
  } = {}) => {
    const waits: string[] = []
    let steps = 0
    for (;;) {
      await others()
      const work = await due()
      if (work === undefined || work.kind === 'none') return waits
      const pauseMs = work.kind === 'later' ? work.at - clock.now() : 0
      if (pauseMs > 0) {
        if (pauseMs > longestPauseMs) return waits
        await clock.advance(pauseMs)
        continue
      }
      if (steps++ === mostSteps)
        throw new Error(`${kind} ${key.name}: work is still due after ${mostSteps} steps: ${waits.at(-1)}`)
      await step()
      const object = await live()
      const isLast = object === undefined || workOf(object).kind === 'none'
      if (!isLast) waits.push(String(Object(object.status).lastOperation?.description))
      if (until(object)) return waits
    }
  }
  const asking = async (operation: string) => {
    // A new timestamp identifies a new request. Times in a status have whole seconds.
    await clock.advance(2_000)
    return { [annotations.operation]: operation, [annotations.timestamp]: formatMilliseconds(clock.now()) }
  }
  return {
    live,
    due,
    step,
    check,
    run,
    create: async ({ status, ...object }, operation = 'reconcile') => {
      const asked = { ...object.metadata.annotations, ...(await asking(operation)) }
      const metadata = { ...object.metadata, annotations: asked }
      const created = await kubernetes.create(resource, { ...object, metadata })
      if (status === undefined) return created
      return kubernetes.patch(resource, key, { status }, { subresource: 'status' })
    },
    ask: async (operation, patch = {}) =>
      kubernetes.patch(resource, key, { ...patch, metadata: { annotations: await asking(operation) } }),
    delete: async () => {
      const confirmed = { [annotations.deletionConfirmation]: 'true' }
      await kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await kubernetes.delete(resource, key)
    },
  }
}

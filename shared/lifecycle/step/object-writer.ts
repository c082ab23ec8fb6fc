import { annotations } from '../../contract/constants.ts'
import { ClaimLostError } from '../../contract/errors.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
} from '../../kubernetes/kubernetes.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes one step's changes to its object sequentially. Each is locked to the version that the step knows. After a
 * concurrent change, the object is read again and the write is recomputed, if it is the same object and this step still
 * has the claim. Otherwise this and every later write is skipped.
 *
 * All writes throw `StepExpiredError` after the step's deadline, and its subclass `ClaimLostError` once the claim is
 * lost.
 */
export interface ObjectWriter {
  /** The object after the last write or read. */
  readonly current: () => KubernetesObject
  /** Merge-patches `/status`. A function gets the current object; undefined: no write. */
  readonly status: (status: Fields | ((object: KubernetesObject) => Fields | undefined)) => Promise<void>
  /** Merge-patches the metadata, computed from the current object. Resolves if the object is gone. */
  readonly metadata: (change: (object: KubernetesObject) => object | undefined) => Promise<void>
  /** Replaces the step annotation. */
  readonly step: (step: StepAnnotation | undefined) => Promise<void>
  /** The reason why no further write is allowed. Undefined: the claim is valid, as far as known. */
  readonly lost: () => ClaimLostError | undefined
}

interface WriterDeps {
  readonly kubernetes: Kubernetes
  readonly resource: GroupVersionResource
  readonly key: ObjectKey
  readonly claimed: KubernetesObject
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
  /** Called once, so that the step's running work can end. */
  readonly onLost?: (error: ClaimLostError) => void
}

/** Maximum attempts of a write after concurrent changes of the object. */
const lockedTries = 8

type Attempt = 'written' | 'changed' | 'gone'

export const objectWriter = (deps: WriterDeps): ObjectWriter => {
  const { kubernetes, resource, key, throwIfExpired, signal, onLost } = deps
  const { uid } = deps.claimed.metadata
  /** The claim, also as a wait after a success, even if the answer to its write was lost. */
  const ownClaims = new Set([stepOf(deps.claimed)])
  let current = deps.claimed
  let lost: ClaimLostError | undefined
  let last: Promise<unknown> = Promise.resolve()

  const lose = (why: string): ClaimLostError => {
    if (lost === undefined) {
      lost = new ClaimLostError(why)
      onLost?.(lost)
    }
    return lost
  }

  /** Reads the current object, if the step may still write it. */
  const readAgain = async (): Promise<'same' | 'gone'> => {
    const live = await kubernetes.get(resource, key, { signal })
    if (live === undefined) return 'gone'
    if (live.metadata.uid !== uid) throw lose('the object was deleted and recreated under the same name')
    if (!ownClaims.has(stepOf(live))) {
      throw lose('the claim of this step was removed: another step may be running')
    }
    current = live
    return 'same'
  }

  const tryOnce = async (patch: object, subresource: 'status' | undefined): Promise<Attempt> => {
    try {
      current = await kubernetes.patch(resource, key, patch, {
        signal,
        ...(subresource === undefined ? {} : { subresource }),
      })
      return 'written'
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error
      if (error.status === 404) return 'gone'
      if (error.status === 409) return 'changed'
      throw error
    }
  }

  const write = async (
    make: (object: KubernetesObject) => { readonly metadata?: object; readonly status?: Fields } | undefined,
    subresource?: 'status',
  ): Promise<'done' | 'gone'> => {
    for (let tries = 1; ; tries++) {
      throwIfExpired()
      if (lost !== undefined) throw lost
      const patch = make(current)
      if (patch === undefined) return 'done'
      const { resourceVersion } = current.metadata
      const metadata = { ...patch.metadata, uid, resourceVersion }
      const attempt = await tryOnce({ ...patch, metadata }, subresource)
      if (attempt === 'written') return 'done'
      if (attempt === 'gone' || (await readAgain()) === 'gone') return 'gone'
      if (tries === lockedTries) {
        throw new KubernetesError(409, 'Conflict', `the object was changed by others ${tries} times in a row`)
      }
    }
  }

  /** An actuator may save from several places at once. Each write builds on the previous one. */
  const oneAfterAnother = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  const metadata: ObjectWriter['metadata'] = change =>
    oneAfterAnother(async () => {
      const result = await write(object => {
        const fields = change(object)
        return fields === undefined ? undefined : { metadata: fields }
      })
      if (result === 'gone') lose('the object was deleted')
    })

  return {
    current: () => current,
    lost: () => lost,
    metadata,
    status: status =>
      oneAfterAnother(async () => {
        const result = await write(object => {
          const fields = typeof status === 'function' ? status(object) : status
          return fields === undefined ? undefined : { status: fields }
        }, 'status')
        if (result === 'gone') throw lose('the object was deleted')
      }),
    step: step => {
      const text = step === undefined ? null : formatStepAnnotation(step)
      if (text !== null && step?.claimedUntil !== undefined) ownClaims.add(text)
      return metadata(() => ({ annotations: { [annotations.step]: text } }))
    },
  }
}

const stepOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.annotations?.[annotations.step]

/** Coordinates a health check with the steps of its object. */
export interface CheckWriter {
  /**
   * Runs the work once no step of the object is running in this process, or once the signal aborts. `isStale`: a step
   * has run since the check started, so the object has changed.
   */
  readonly write: <T>(work: (isStale: boolean) => Promise<T>, signal: AbortSignal) => Promise<T>
}

/**
 * Orders the writes of steps and health checks to an object in this process. Both lock their writes to the version that
 * they read, so concurrent writes would conflict. Steps do not wait for each other: the claim of the object decides
 * between them.
 */
export interface WriteOrder {
  readonly step: <T>(key: string, work: () => Promise<T>) => Promise<T>
  readonly check: <T>(key: string, work: (writer: CheckWriter) => Promise<T>) => Promise<T>
}

interface ObjectWorks {
  readonly steps: Set<Promise<unknown>>
  readonly checks: Set<{ isStale: boolean }>
  /** The running write of a check. */
  readonly writes: Set<Promise<unknown>>
}

export const createWriteOrder = (): WriteOrder => {
  /** The objects with a running step or check. */
  const objects = new Map<string, ObjectWorks>()
  const worksOf = (key: string): ObjectWorks => {
    const works = objects.get(key) ?? { steps: new Set(), checks: new Set(), writes: new Set() }
    objects.set(key, works)
    return works
  }
  const leave = (key: string, { steps, checks }: ObjectWorks) => {
    if (steps.size + checks.size === 0) objects.delete(key)
  }
  return {
    step: async (key, work) => {
      const works = worksOf(key)
      const stepping = ended(works.writes).then(work)
      works.steps.add(stepping)
      for (const check of works.checks) check.isStale = true
      try {
        return await stepping
      } finally {
        works.steps.delete(stepping)
        leave(key, works)
      }
    },
    check: async (key, work) => {
      const works = worksOf(key)
      const check = { isStale: works.steps.size > 0 }
      works.checks.add(check)
      const writeInOrder: CheckWriter['write'] = async (write, signal) => {
        while (works.steps.size > 0 && !signal.aborted) await untilAborted(ended(works.steps), signal)
        const writing = write(check.isStale)
        works.writes.add(writing)
        try {
          return await writing
        } finally {
          works.writes.delete(writing)
        }
      }
      try {
        return await work({ write: writeInOrder })
      } finally {
        works.checks.delete(check)
        leave(key, works)
      }
    },
  }
}

const ended = async (works: ReadonlySet<Promise<unknown>>): Promise<void> => {
  await Promise.allSettled(works)
}

const untilAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([work, promise])
}

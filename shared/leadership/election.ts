import type { V1Lease } from '@kubernetes/client-node'
import type { Clock } from '../clock/clock.ts'
import type { Rendered } from '../kubernetes/kubernetes.ts'
import {
  createReflector,
  hasStatus,
  idOf,
  type Kubernetes,
  type KubernetesObject,
  refusalAdvice,
  startDeadline,
} from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { Leadership } from './leadership.ts'
import { heldSpec, type LeaseKey, leaseOf, leases, releasedSpec } from './lease.ts'

/** Times in milliseconds. */
export interface LeaseTimes {
  /** Others do not take the lease for this time after the last renewal that they saw. */
  readonly durationMs: number
  /** The holder acts for this time after its last renewal. The rest of the duration covers clock errors. */
  readonly renewMs: number
  /** Interval of attempts. */
  readonly retryMs: number
}

export interface ElectionOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'replace' | 'list' | 'watch'>
  readonly lease: LeaseKey
  /** Unique for every process, also after a restart of the same pod. */
  readonly identity: string
  /** Default: those of client-go. */
  readonly times?: LeaseTimes | undefined
  readonly clock: Clock
  /** A monotonic time in milliseconds that also advances while the process is paused: `performance.now`. */
  readonly elapsed: () => number
  readonly log: Log
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

const usualTimes: LeaseTimes = { durationMs: 15_000, renewMs: 10_000, retryMs: 2_000 }

/** Timeout of releasing the lease, in milliseconds. Afterwards it expires. */
const releaseLimitMs = 4_000

/**
 * Leader election with a Lease by the rules of client-go, so that both can coexist: a lease is taken over when its
 * holder has released it, or when it was not renewed for its duration. Tries every `retryMs` and also watches the
 * Lease, so that a successor starts as soon as the leader releases it.
 */
export const createElection = (options: ElectionOptions): Leadership => {
  const {
    kubernetes,
    lease,
    identity,
    times = usualTimes,
    clock,
    elapsed,
    log,
    random = Math.random,
  } = options
  /** The last seen Lease, and the time when this state was first seen. */
  let observed: { readonly object: KubernetesObject; readonly at: number } | undefined
  /** Time when the last successful renewal was sent. */
  let renewedAt: number | undefined
  let reported = false
  let failing = false
  let lastActivity = clock.now()
  let urgent = new AbortController()
  /** Ends the current pause, or the next one before it starts. */
  const wake = () => urgent.abort()

  const leading = () => renewedAt !== undefined && elapsed() - renewedAt < times.renewMs

  const observe = (object: KubernetesObject) => {
    if (observed?.object.metadata.resourceVersion === object.metadata.resourceVersion) return
    observed = { object, at: elapsed() }
  }

  const write = async (object: KubernetesObject, signal: AbortSignal) => {
    const began = elapsed()
    const spec = heldSpec(leaseOf(object), identity, times.durationMs, clock.now())
    observe(await kubernetes.replace(leases, { ...object, spec }, { signal }))
    renewedAt = began
  }

  const create = async (signal: AbortSignal) => {
    const began = elapsed()
    const spec = heldSpec(undefined, identity, times.durationMs, clock.now())
    const fresh: Rendered<V1Lease> = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...lease },
      spec,
    }
    try {
      observe(await kubernetes.create(leases, fresh, { signal }))
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
      throw new Error(`the namespace ${lease.namespace} does not exist`, { cause: error })
    }
    renewedAt = began
  }

  /** Returns true if another process holds the lease, as far as this one can know. */
  const isTaken = (object: KubernetesObject) => {
    const { holder, durationMs } = leaseOf(object)
    return holder !== '' && holder !== identity && elapsed() < (observed?.at ?? elapsed()) + durationMs
  }

  const attempt = async (signal: AbortSignal): Promise<void> => {
    if (leading() && observed !== undefined) {
      try {
        return await write(observed.object, signal)
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
    }
    const object = await kubernetes.get(leases, lease, { signal })
    if (object === undefined) return create(signal)
    observe(object)
    if (!isTaken(object)) return write(object, signal)
    renewedAt = undefined
  }

  const tryOnce = async (signal: AbortSignal) => {
    const limit = startDeadline(clock, times.renewMs / 2, 'renewing the lease', signal)
    try {
      await attempt(limit.signal)
      failing = false
    } catch (error) {
      // Another candidate was faster. Its Lease is read in the next attempt.
      if (signal.aborted || isOutdated(error)) return
      const advice = refusalAdvice(error)
      log[failing ? 'debug' : 'warn']('renewing the lease failed', {
        object: `${lease.namespace}/${lease.name}`,
        error,
        ...(advice !== undefined && { advice }),
      })
      failing = true
    } finally {
      limit.release()
    }
  }

  /** Attempts at once when another process releases the lease, or has taken the lease of this one. */
  const watcher = createReflector({
    kubernetes,
    resource: leases,
    namespace: lease.namespace,
    fieldSelector: `metadata.name=${lease.name}`,
    clock,
    log,
    handler: {
      upsert: object => {
        const { holder } = leaseOf(object)
        if (holder === '' || (leading() && holder !== identity)) wake()
      },
      deleted: () => wake(),
    },
  })

  const pause = async () => {
    // Standbys spread their attempts, as in client-go.
    const waitMs = leading() ? times.retryMs : times.retryMs * (1 + random() * 0.2)
    await clock.sleep(waitMs, urgent.signal).catch(() => undefined)
    urgent = new AbortController()
  }

  const release = async () => {
    if (!leading() || observed === undefined) return
    renewedAt = undefined
    const limit = startDeadline(clock, releaseLimitMs, 'releasing the lease', undefined)
    const { signal } = limit
    const write = (object: KubernetesObject) =>
      kubernetes.replace(leases, { ...object, spec: releasedSpec(leaseOf(object), clock.now()) }, { signal })
    try {
      await write(observed.object).catch(async error => {
        if (!isOutdated(error)) throw error
        // The API server may have stored a renewal that the shutdown aborted.
        const object = await kubernetes.get(leases, lease, { signal })
        if (object !== undefined && leaseOf(object).holder === identity) await write(object)
      })
    } catch (error) {
      log.warn('cannot release the lease', { object: idOf(lease), error })
    } finally {
      limit.release()
    }
  }

  return {
    leading,
    lastActivity: () => Math.min(lastActivity, watcher.lastActivity()),
    run: async (signal, changed) => {
      let disarm: () => void = () => undefined
      const report = () => {
        disarm()
        const now = leading()
        // While the API server is unreachable no renewal succeeds, so a timer detects the end of the lease.
        if (now) disarm = clock.after(Math.max((renewedAt ?? 0) + times.renewMs - elapsed(), 1), report)
        if (now === reported) return
        reported = now
        changed(now)
      }
      signal.addEventListener('abort', wake, { once: true })
      const watching = watcher.run(signal)
      while (!signal.aborted) {
        lastActivity = clock.now()
        await tryOnce(signal)
        report()
        if (!signal.aborted) await pause()
      }
      await release()
      report()
      disarm()
      await watching
    },
  }
}

/** 409: another process has written or created it. 404: it was deleted. */
const isOutdated = (error: unknown): boolean => hasStatus(error, 409, 404)

import type { V1Lease } from '@kubernetes/client-node'
import type { Clock } from '../clock/clock.ts'
import type { Rendered } from '../kubernetes/kubernetes.ts'
import {
  createReflector,
  idOf,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  refusalAdvice,
  startDeadline,
} from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { Leadership } from './leadership.ts'
import { heldSpec, type LeaseKey, leaseOf, leases, releasedSpec } from './lease.ts'

/** Times in ms; client-go's defaults are 15, 10 and 2 s. */
export interface LeaseTimes {
  /** How long after the last renewal that they saw others leave the lease alone. */
  readonly durationMs: number
  /** How long after its last renewal the holder acts; the rest of the duration is for its clock to be wrong in. */
  readonly renewMs: number
  /** Between two attempts. */
  readonly retryMs: number
}

export interface ElectionOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'replace' | 'list' | 'watch'>
  readonly lease: LeaseKey
  /** Differs from that of every other process, also from the same pod's last one. */
  readonly identity: string
  readonly times: LeaseTimes
  readonly clock: Clock
  /** A time in ms that only goes forward, also while the process is paused: `performance.now`. */
  readonly elapsed: () => number
  readonly log: Log
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

/** Longest time that giving the lease up may take; then it runs out by itself. */
const releaseLimitMs = 1_000

/**
 * Leader election through a Lease, by the rules of client-go, so that the two could stand side by side: a lease is taken
 * over when its holder has let it go, or when nobody has seen it renewed for its duration. Beside trying every
 * `retryMs`, it watches the Lease, so that a successor works at once when the leader lets go.
 */
export const createElection = (options: ElectionOptions): Leadership => {
  const { kubernetes, lease, identity, times, clock, elapsed, log, random = Math.random } = options
  /** The Lease as seen last, and when that state was seen first. */
  let observed: { readonly object: KubernetesObject; readonly at: number } | undefined
  /** When the last renewal that succeeded was sent. */
  let renewedAt: number | undefined
  let reported = false
  let failing = false
  let lastActivity = clock.now()
  let urgent = new AbortController()
  /** Ends the pause, also one that has not begun yet. */
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
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error
      throw new Error(`there is no namespace ${lease.namespace}, see --lease-namespace`, { cause: error })
    }
    renewedAt = began
  }

  /** Whether another process has it, as far as can be known here. */
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
      // Another one was faster: what it wrote is read the next time.
      if (signal.aborted || isOutdated(error)) return
      const advice = refusalAdvice(error)
      log[failing ? 'debug' : 'warn']('renewing the lease failed', {
        ...lease,
        error,
        ...(advice !== undefined && { advice }),
      })
      failing = true
    } finally {
      limit.release()
    }
  }

  /** A lease that another one has let go is worth an attempt at once; so is one of ours that another one has taken. */
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
    // Standbys spread their attempts, as client-go's do.
    const waitMs = leading() ? times.retryMs : times.retryMs * (1 + random() * 0.2)
    await clock.sleep(waitMs, urgent.signal).catch(() => undefined)
    urgent = new AbortController()
  }

  const release = async () => {
    if (!leading() || observed === undefined) return
    renewedAt = undefined
    const limit = startDeadline(clock, releaseLimitMs, 'giving the lease up', undefined)
    const { object } = observed
    try {
      const spec = releasedSpec(leaseOf(object), clock.now())
      await kubernetes.replace(leases, { ...object, spec }, { signal: limit.signal })
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
        // Nobody renews while the API server is away: the end of the lease has to be noticed by itself.
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

/** 409: somebody else has written or created it; 404: somebody has deleted it. */
const isOutdated = (error: unknown): boolean =>
  error instanceof KubernetesError && (error.status === 409 || error.status === 404)

import { type Clock, type Timestamp, withinSignal } from '../../../clock/clock.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { findShoot } from '../../../shoot/shoot.ts'
import type { ReachShoot, ShootLookup } from './lookups.ts'

/** The maximum number of open shoots without a review, the most recently used ones. */
const mostShoots = 16
/** The delay after the last review of a shoot until its connection is closed, in milliseconds. */
const idleMs = 30_000
/** The age after which the next review reopens a shoot, in milliseconds: its kubeconfig may name another server. */
const longestMs = 300_000

interface Open {
  readonly opening: Promise<ShootLookup>
  readonly since: Timestamp
  users: number
  cancelClose: (() => void) | undefined
}

export interface CachedShoots {
  readonly open: ReachShoot
  /** Closes unused shoots now, and the others after their reviews. */
  readonly close: () => void
}

/**
 * Opens shoots, and leaves them open for the next review, because each change causes several. A shoot that could not be
 * opened is retried by the next review.
 */
export const cacheShoots = (openShoot: ReachShoot, clock: Pick<Clock, 'now' | 'after'>): CachedShoots => {
  /** By namespace, the most recently used one last. */
  const shoots = new Map<string, Open>()
  const stop = new AbortController()

  const end = (namespace: string, shoot: Open): void => {
    if (shoots.get(namespace) === shoot) shoots.delete(namespace)
    shoot.cancelClose?.()
    if (shoot.users === 0) shoot.opening.then(({ close }) => close()).catch(() => undefined)
  }

  const release = (namespace: string, shoot: Open): void => {
    shoot.users--
    if (shoot.users > 0) return
    if (shoots.get(namespace) !== shoot) {
      end(namespace, shoot)
      return
    }
    shoot.cancelClose = clock.after(idleMs, () => end(namespace, shoot))
    shoots.delete(namespace)
    shoots.set(namespace, shoot)
    const idle = [...shoots].filter(([, { users }]) => users === 0)
    for (const [of, one] of idle.slice(0, Math.max(idle.length - mostShoots, 0))) end(of, one)
  }

  const take = (namespace: string): Open => {
    const present = shoots.get(namespace)
    if (present !== undefined && clock.now() - present.since < longestMs) {
      present.cancelClose?.()
      return present
    }
    if (present !== undefined) end(namespace, present)
    // Does not use the signal of the review, because the next one continues with the same connection.
    const opening = openShoot(namespace, stop.signal)
    const shoot: Open = { opening, since: clock.now(), users: 0, cancelClose: undefined }
    if (!stop.signal.aborted) shoots.set(namespace, shoot)
    opening.catch(() => end(namespace, shoot))
    return shoot
  }

  return {
    open: async (namespace, signal) => {
      const shoot = take(namespace)
      shoot.users++
      let isReleased = false
      const close = () => {
        if (isReleased) return
        isReleased = true
        release(namespace, shoot)
      }
      try {
        const { kubernetes } = await withinSignal(signal, shoot.opening)
        return { kubernetes, close }
      } catch (error) {
        close()
        throw error
      }
    },
    close: () => {
      for (const [namespace, shoot] of shoots) end(namespace, shoot)
      stop.abort(new Error('the process is shutting down'))
    },
  }
}

/** Opens a shoot's API server with gardenlet's kubeconfig in its namespace. */
export const openShootOf =
  (kubernetes: Pick<Kubernetes, 'get'>, clock: Clock): ReachShoot =>
  async (namespace, signal) => {
    const shoot = await findShoot({ kubernetes, namespace, clock, signal })
    if (shoot === undefined) throw new ShootUnknownError(namespace)
    return shoot
  }

/** Without a kubeconfig, the review gets no answer. */
class ShootUnknownError extends Error {
  override readonly name = 'NotFoundError'
  constructor(namespace: string) {
    super(`the namespace ${namespace} has no kubeconfig of a shoot`)
  }
}

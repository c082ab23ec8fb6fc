import type { Clock } from '../../../shared/clock/clock.ts'
import { formatMicroseconds } from '../../../shared/clock/clock.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import {
  type Kubernetes,
  KubernetesError,
  refusalAdvice,
  startDeadline,
} from '../../../shared/kubernetes/kubernetes.ts'
import { leases } from '../../../shared/leadership/lease.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { BridgeObserver } from '../bridge-event.ts'

/**
 * An extension with a Lease that the bridge renews, and its namespace. Default: the namespaces that gardenlet has
 * created for it.
 */
export interface HeartbeatExtension {
  /** The name of its ControllerRegistration, `provider-aws`. */
  readonly name: string
  /** The types (`spec.type`) that the extension is registered for. Default: every type that the bridge watches. */
  readonly types?: readonly string[]
  readonly namespace?: string
}

export interface HeartbeatOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'create' | 'patch'>
  readonly clock: Clock
  readonly log: Log
  readonly extensions: readonly HeartbeatExtension[]
  /** The interval between two renewals, in ms. Default: 30 s, that of Gardener's library. */
  readonly renewMs?: number
  readonly leading: () => boolean
  /** Returns why the extension's conditions go stale. Meanwhile the bridge does not renew the Lease. */
  readonly problemOf: (extension: HeartbeatExtension) => string | undefined
  /** Called when the Leases of an extension were renewed. */
  readonly renewed?: (extension: string) => void
  /** Called with false if the extension has no namespace for its Lease; true if it has, or if that is unknown. */
  readonly expected?: (extension: string, isExpected: boolean) => void
}

/** Renews the Lease by which gardenlet knows that an extension is alive (docs/contract/health.md#what-is-outdated). */
export type Heartbeat = Required<Pick<BridgeObserver, 'event' | 'run'>>

const leaseName = 'gardener-extension-heartbeat'

const namespaceAdvice =
  'gardenlet creates the namespace for a ControllerRegistration of this name. Without one, remove the name from --extensions (TRELLIS_EXTENSIONS), or add =namespace.'

/** The first wait after a failure; it doubles, up to the interval between two renewals. */
const firstRetryMs = 1_000

export const createHeartbeat = (options: HeartbeatOptions): Heartbeat => {
  const { kubernetes, clock, log, extensions, renewMs = 30_000, leading, problemOf } = options
  const leaseDurationSeconds = Math.ceil(renewMs / 1_000)
  let urgent = new AbortController()
  /** The reasons that the bridge has logged, by extension. */
  const stopped = new Map<string, string>()
  /** Extensions without a namespace that the bridge has already logged. */
  const homeless = new Set<string>()

  const namespacesOf = async ({ name, namespace }: HeartbeatExtension, signal: AbortSignal) => {
    if (namespace !== undefined) return [namespace]
    const labelSelector = `gardener.cloud/role=extension,controllerregistration.core.gardener.cloud/name=${name}`
    const { items } = await kubernetes.list(namespaces, { labelSelector, signal })
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
  }

  const renew = async (holderIdentity: string, namespace: string, signal: AbortSignal) => {
    const key = { name: leaseName, namespace }
    const specNow = () => ({
      holderIdentity,
      leaseDurationSeconds,
      renewTime: formatMicroseconds(clock.now()),
    })
    // The Lease exists every time but the first.
    try {
      return await kubernetes.patch(leases, key, { spec: specNow() }, { signal })
    } catch (error) {
      if (!isStatus(error, 404)) throw error
    }
    try {
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec: specNow() }
      return await kubernetes.create(leases, lease, { signal })
    } catch (error) {
      if (!isStatus(error, 409)) throw error
    }
    return kubernetes.patch(leases, key, { spec: specNow() }, { signal })
  }

  const isAlive = (extension: HeartbeatExtension) => {
    const { name } = extension
    const why = problemOf(extension)
    if (why === stopped.get(name)) return why === undefined
    if (why === undefined) {
      stopped.delete(name)
      log.info('heartbeat resumed', { extension: name })
    } else {
      stopped.set(name, why)
      log.error('heartbeat stopped', {
        extension: name,
        types: extension.types?.join() ?? 'all served types',
        why,
      })
    }
    return why === undefined
  }

  const noteNamespaces = (name: string, found: readonly string[]) => {
    options.expected?.(name, found.length > 0)
    if (found.length > 0) {
      homeless.delete(name)
    } else if (!homeless.has(name)) {
      homeless.add(name)
      log.warn('heartbeat has no namespace', { extension: name, advice: namespaceAdvice })
    }
  }

  /**
   * Renews the Leases of an extension without a problem. For any other extension, only records whether a heartbeat
   * is expected, so that a missing one is noticed. Returns true if everything succeeded.
   */
  const beat = async (extension: HeartbeatExtension, signal: AbortSignal): Promise<boolean> => {
    const limit = startDeadline(clock, renewMs / 2, 'the heartbeat', signal)
    try {
      const found = await namespacesOf(extension, limit.signal)
      noteNamespaces(extension.name, found)
      if (!isAlive(extension)) return true
      await Promise.all(found.map(namespace => renew(extension.name, namespace, limit.signal)))
      if (found.length > 0) options.renewed?.(extension.name)
      return true
    } catch (error) {
      const advice = refusalAdvice(error)
      options.expected?.(extension.name, true)
      if (!signal.aborted)
        log.warn('heartbeat failed', {
          extension: extension.name,
          error,
          ...(advice !== undefined && { advice }),
        })
      return false
    } finally {
      limit.release()
    }
  }

  return {
    // A new leader renews at once.
    event: event => {
      if (event.type === 'leadership' && event.leading) urgent.abort()
    },
    run: async signal => {
      const wake = () => urgent.abort()
      signal.addEventListener('abort', wake, { once: true })
      let failures = 0
      while (!signal.aborted && extensions.length > 0) {
        const isLeading = leading()
        // Only the leading bridge knows which heartbeats are expected.
        if (!isLeading) for (const { name } of extensions) options.expected?.(name, false)
        const beating = isLeading ? extensions : []
        const went = await Promise.all(beating.map(extension => beat(extension, signal)))
        failures = went.every(Boolean) ? 0 : failures + 1
        const waitMs = failures === 0 ? renewMs : Math.min(firstRetryMs * 2 ** (failures - 1), renewMs)
        await clock.sleep(waitMs, urgent.signal).catch(() => undefined)
        if (!signal.aborted) urgent = new AbortController()
      }
      signal.removeEventListener('abort', wake)
    },
  }
}

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof KubernetesError && error.status === status

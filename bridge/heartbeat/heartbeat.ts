import type { Clock } from '../../shared/clock/clock.ts'
import { formatMicroseconds } from '../../shared/clock/clock.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  refusalAdvice,
  startDeadline,
} from '../../shared/kubernetes/kubernetes.ts'
import { leases } from '../../shared/leadership/lease.ts'
import type { Log } from '../../shared/log/log.ts'

/** An extension whose Lease is kept, and where: absent, in the namespaces that gardenlet has made for it. */
export interface HeartbeatExtension {
  /** The name of its ControllerRegistration, `provider-aws`. */
  readonly name: string
  readonly namespace?: string
}

export interface HeartbeatOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'create' | 'patch'>
  readonly clock: Clock
  readonly log: Log
  readonly extensions: readonly HeartbeatExtension[]
  /** Between two renewals, in ms. */
  readonly renewMs: number
  readonly leading: () => boolean
  /** Whether somebody answers for what the extension reports; false: the Lease is left to grow old. */
  readonly isAlive: (extension: string) => boolean
  /** Called when the Leases of an extension were renewed. */
  readonly renewed?: (extension: string) => void
}

/** Renews the Lease by which gardenlet knows that an extension is alive (docs/contract/health.md#what-is-outdated). */
export interface Heartbeat {
  /** Renews at once: this bridge has begun to lead. */
  wake(): void
  run(signal: AbortSignal): Promise<void>
}

const leaseName = 'gardener-extension-heartbeat'
const namespaces: GroupVersionResource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

/** After a failure: doubling, up to the time between two renewals. */
const firstRetryMs = 1_000

export const createHeartbeat = (options: HeartbeatOptions): Heartbeat => {
  const { kubernetes, clock, log, extensions, renewMs, leading, isAlive } = options
  const leaseDurationSeconds = Math.ceil(renewMs / 1_000)
  let urgent = new AbortController()
  /** Extensions that nobody answers for, as it was told. */
  const silent = new Set<string>()

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
    // The Lease is there every time but the first.
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

  const isAnswered = (name: string) => {
    const alive = isAlive(name)
    if (alive === !silent.has(name)) return alive
    if (alive) {
      silent.delete(name)
      log.info('checks of health are answered again, the heartbeat goes on', { extension: name })
    } else {
      silent.add(name)
      log.error('nobody answers checks of health, the heartbeat stops', { extension: name })
    }
    return alive
  }

  /** Whether all went well. */
  const beat = async (extension: HeartbeatExtension, signal: AbortSignal): Promise<boolean> => {
    const limit = startDeadline(clock, renewMs / 2, 'the heartbeat', signal)
    try {
      const found = await namespacesOf(extension, limit.signal)
      await Promise.all(found.map(namespace => renew(extension.name, namespace, limit.signal)))
      if (found.length > 0) options.renewed?.(extension.name)
      return true
    } catch (error) {
      const advice = refusalAdvice(error)
      if (!signal.aborted) {
        log.warn('the heartbeat failed', {
          extension: extension.name,
          error,
          ...(advice !== undefined && { advice }),
        })
      }
      return false
    } finally {
      limit.release()
    }
  }

  return {
    wake: () => urgent.abort(),
    run: async signal => {
      const wake = () => urgent.abort()
      signal.addEventListener('abort', wake, { once: true })
      let failures = 0
      while (!signal.aborted && extensions.length > 0) {
        const alive = leading() ? extensions.filter(({ name }) => isAnswered(name)) : []
        const went = await Promise.all(alive.map(extension => beat(extension, signal)))
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

import type { Clock } from '../../shared/clock/clock.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { parseManagedResource } from '../../shared/contract/parse.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  idOf,
  type Kubernetes,
  type KubernetesObject,
  keyOf,
  keyOfId,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import { createWorkQueue } from '../work-queue/work-queue.ts'
import { collectSecrets } from './collect-secrets.ts'
import type { TargetCluster } from './objects/target-cluster.ts'
import { reconcileManagedResource } from './reconcile-managed-resource.ts'
import { resourceFaultOf } from './resource-fault.ts'

export interface ResourceManagerOptions {
  /** The seed, which has the ManagedResources. */
  readonly kubernetes: Kubernetes
  /**
   * Returns the target cluster of a ManagedResource by class and namespace; undefined: another manager is responsible.
   */
  readonly targetOf: (resourceClass: string, namespace: string) => Promise<TargetCluster | undefined>
  readonly clock: Clock
  readonly log: Log
  /** Factor on its durations: 1 is real time. Default: 0.01. */
  readonly scale?: number
  readonly signal: AbortSignal
}

export interface ResourceManager {
  /**
   * Call it with `<namespace>/<name>` of each deleted Secret. A real manager sees it within a minute, because it
   * reconciles everything so often.
   */
  secretDeleted(key: string): void
  /** Resolves when all its work has ended, after the signal has aborted. */
  ended(): Promise<void>
}

/** Durations at scale 1, in ms. Without a fault each ManagedResource is reconciled at once. */
const durations = {
  /** Duration of each step of a `slow` one. */
  slow: 60_000,
  /** Wait before objects that are not in the desired state are retried. */
  again: 5_000,
  /**
   * A real manager reconciles everything so often. This one does it so long after another ManagedResource has gone:
   * with a definition in it, objects of others have gone, too.
   */
  sync: 60_000,
  /** Minimum age of Secrets to collect, and the interval between collections. */
  collectable: 10 * 60_000,
  collection: 60 * 60_000,
}

/** Starts a resource manager for all namespaces, like the gardener-resource-managers of a seed and its shoots. */
export const startResourceManager = (options: ResourceManagerOptions): ResourceManager => {
  const { kubernetes, targetOf, clock, log, signal, scale = 0.01 } = options
  const { resource } = managedResourceKind
  /** The start of the current step of a slow one. */
  const begun = new Map<string, { readonly step: string; readonly at: number }>()

  const reconcile = async (id: string): Promise<number | undefined> => {
    const object = await kubernetes.get(resource, keyOfId(id), { signal })
    const managedResource = object && parsed(object)
    if (managedResource === undefined) {
      begun.delete(id)
      return undefined
    }
    const { namespace = '' } = managedResource.metadata
    const fault = resourceFaultOf(
      managedResource,
      await kubernetes.get(namespaces, { name: namespace }, { signal }),
    )
    if (fault === 'stuck') return durations.again * scale
    if (fault === 'slow') {
      const left = timeLeft(id, managedResource)
      if (left > 0) return left
    }
    const target = await targetOf(managedResource.spec?.class ?? '', namespace)
    if (target === undefined) return undefined
    const reconciled = await reconcileManagedResource({ kubernetes, clock, target, fault }, managedResource)
    return reconciled === 'again' ? durations.again * scale : undefined
  }

  const timeLeft = (id: string, { metadata }: ManagedResource): number => {
    const step = `${metadata.uid} ${metadata.generation} ${metadata.deletionTimestamp !== undefined}`
    const known = begun.get(id)
    if (known?.step !== step) begun.set(id, { step, at: clock.now() })
    const at = known?.step === step ? known.at : clock.now()
    return at + durations.slow * scale - clock.now()
  }

  const parsed = (object: KubernetesObject): ManagedResource | undefined => {
    const result = parseManagedResource(object)
    return result.ok ? result.object : undefined
  }

  const queue = createWorkQueue({
    clock,
    signal,
    reconcile,
    failed: (id, error) => {
      log.warn('cannot reconcile a ManagedResource', { managedResource: id, error })
      return durations.again * scale
    },
  })
  const seen = new Map<string, string>()
  /** `<namespace>/<name>` of the Secrets of each ManagedResource. */
  const references = new Map<string, readonly string[]>()
  const handler = {
    upsert: (object: KubernetesObject) => {
      const { generation, deletionTimestamp, uid, annotations, namespace = '' } = object.metadata
      const id = idOf(keyOf(object))
      const { secretRefs = [] } = Object(object.spec) as NonNullable<ManagedResource['spec']>
      references.set(
        id,
        secretRefs.map(({ name = '' }) => `${namespace}/${name}`),
      )
      const facts = JSON.stringify([uid, generation, deletionTimestamp, annotations])
      // Changes of the status and finalizer of the ManagedResource are ignored.
      if (seen.get(id) === facts) return
      seen.set(id, facts)
      queue.add(id)
    },
    deleted: (key: { readonly name: string; readonly namespace?: string }) => {
      seen.delete(idOf(key))
      references.delete(idOf(key))
      for (const other of seen.keys())
        if (keyOfId(other).namespace === key.namespace) queue.addAfter(other, durations.sync * scale)
    },
  }
  const running = createReflector({ kubernetes, resource, handler, clock, log }).run(signal)

  let collecting: Promise<void> = Promise.resolve()
  let cancel: (() => void) | undefined
  const nextCollection = (): void => {
    if (signal.aborted) return
    cancel = clock.after(durations.collection * scale, () => {
      collecting = collectSecrets(kubernetes, clock.now() - durations.collectable * scale)
        .catch(error => log.warn('cannot collect Secrets', { error }))
        .finally(nextCollection)
    })
  }
  signal.addEventListener('abort', () => cancel?.())
  nextCollection()
  return {
    secretDeleted: key => {
      for (const [id, names] of references) if (names.includes(key)) queue.add(id)
    },
    ended: async () => {
      await running
      await Promise.all([collecting, queue.idle()])
    },
  }
}

import type { Clock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion, type RequestedOperation } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { LastOperation } from '../../shared/contract/objects.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import type { DesiredExtensionObject } from './desired-objects.ts'

/** The fields of an extension object that gardenlet reads. */
export interface ExtensionObject extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number
    readonly lastOperation?: LastOperation
    readonly lastError?: { readonly description: string }
    readonly providerStatus?: unknown
    readonly state?: unknown
    readonly cloudConfig?: { readonly secretRef: { readonly name: string } }
  }
}

/** Writes extension objects and waits for them, as gardenlet does (docs/contract/lifecycle.md). */
export interface ExtensionObjects {
  get(desired: Pick<DesiredExtensionObject, 'kind' | 'key'>): Promise<ExtensionObject | undefined>
  list(kind: KindName, namespace: string): Promise<readonly Required<ObjectKey>[]>
  /** Creates or updates the object, requests the operation, and resolves when that has succeeded. */
  apply(desired: DesiredExtensionObject, operation?: RequestedOperation): Promise<ExtensionObject>
  /** Creates the object, writes the state that it had in another seed, and requests a restore. */
  restore(desired: DesiredExtensionObject, state: unknown): Promise<ExtensionObject>
  /** Requests a migration if the object exists. Waits for it unless the caller deletes the object next. */
  migrate(desired: Pick<DesiredExtensionObject, 'kind' | 'key'>, wait?: 'until-migrated'): Promise<void>
  /** Confirms the deletion, deletes the object if it exists, and resolves when it is gone. */
  remove(desired: Pick<DesiredExtensionObject, 'kind' | 'key'>): Promise<void>
  /** Polls until `read` returns a value. Rejects with `what` and the current status once the signal has aborted. */
  until<T>(what: string, read: () => Promise<T | undefined>, standing?: () => string): Promise<T>
}

export const createExtensionObjects = ({
  kubernetes,
  clock,
  signal,
  pollMs = 20,
}: {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Polling interval in ms. Default: 20. */
  readonly pollMs?: number | undefined
}): ExtensionObjects => {
  const until: ExtensionObjects['until'] = async (what, read, standing = () => '') => {
    for (;;) {
      const found = await read()
      if (found !== undefined) return found
      const { aborted, reason } = signal
      if (aborted) throw new Error(`timed out waiting for ${what}${standing()}`, { cause: reason })
      // The next iteration reports the abort.
      await clock.sleep(pollMs, signal).catch(() => {})
    }
  }
  const get: ExtensionObjects['get'] = async ({ kind, key }) =>
    (await kubernetes.get(kinds[kind].resource, key)) as ExtensionObject | undefined

  let requests = 0
  /** RFC 3339 with nanoseconds. Every value is unique. */
  const timestamp = () =>
    new Date(clock.now()).toISOString().replace('Z', `${String(++requests % 1_000_000).padStart(6, '0')}Z`)
  const asked = (operation: RequestedOperation, at: string) => ({
    [annotations.operation]: operation,
    [annotations.timestamp]: at,
  })

  const write = async (
    { kind, key, labels = {}, annotations: noted, spec }: DesiredExtensionObject,
    operation: RequestedOperation,
  ) => {
    const at = timestamp()
    const { resource } = kinds[kind]
    const metadata = { labels, annotations: { ...noted, ...asked(operation, at) } }
    if ((await get({ kind, key })) === undefined)
      await kubernetes.create(resource, { apiVersion, kind, metadata: { ...key, ...metadata }, spec })
    else await kubernetes.patch(resource, key, { metadata, spec })
    return at
  }

  /** Waits until `reached`. A timeout reports the object's last status. */
  const follow = (
    what: string,
    desired: Pick<DesiredExtensionObject, 'kind' | 'key'>,
    reached: (object: ExtensionObject | undefined) => boolean,
  ): Promise<{ readonly object: ExtensionObject | undefined }> => {
    let last: ExtensionObject | undefined
    return until(
      `${desired.kind} ${desired.key.name} to be ${what}`,
      async () => {
        last = await get(desired)
        return reached(last) ? { object: last } : undefined
      },
      () => `: ${last?.status?.lastError?.description ?? last?.status?.lastOperation?.description ?? ''}`,
    )
  }
  const untilReady = async (desired: DesiredExtensionObject, at: string): Promise<ExtensionObject> => {
    const { object } = await follow('ready', desired, found => found !== undefined && isReady(found, at))
    return object as ExtensionObject
  }

  return {
    get,
    list: async (kind, namespace) => {
      const { items } = await kubernetes.list(kinds[kind].resource, { namespace })
      return items.map(({ metadata: { name } }) => ({ name, namespace }))
    },
    until,
    apply: async (desired, operation = 'reconcile') => untilReady(desired, await write(desired, operation)),
    restore: async (desired, state) => {
      const { resource } = kinds[desired.kind]
      await write(desired, 'wait-for-state')
      if (state !== undefined)
        await kubernetes.patch(resource, desired.key, { status: { state } }, { subresource: 'status' })
      const at = timestamp()
      await kubernetes.patch(resource, desired.key, { metadata: { annotations: asked('restore', at) } })
      return untilReady(desired, at)
    },
    migrate: async (desired, wait) => {
      if ((await get(desired)) === undefined) return
      const { resource } = kinds[desired.kind]
      const isThere = await unlessGone(
        kubernetes.patch(resource, desired.key, {
          metadata: { annotations: asked('migrate', timestamp()) },
        }),
      )
      if (!isThere) return
      if (wait !== undefined)
        await follow('migrated', desired, found => found === undefined || isMigrated(found))
    },
    remove: async desired => {
      // gardenlet ignores objects that do not exist: an earlier attempt has deleted them, or never created them.
      if ((await get(desired)) === undefined) return
      const { resource } = kinds[desired.kind]
      const isThere = await unlessGone(
        kubernetes.patch(resource, desired.key, {
          metadata: {
            annotations: {
              [annotations.deletionConfirmation]: 'true',
              [annotations.timestamp]: timestamp(),
            },
          },
        }),
      )
      if (!isThere || !(await unlessGone(kubernetes.delete(resource, desired.key)))) return
      await follow('gone', desired, found => found === undefined)
    },
  }
}

/** Applies gardenlet's rule: the request is accepted, and the operation requested at that time has succeeded. */
const isReady = ({ metadata, status }: ExtensionObject, at: string): boolean =>
  metadata.annotations?.[annotations.operation] === undefined &&
  metadata.annotations?.[annotations.timestamp] === at &&
  status?.observedGeneration === metadata.generation &&
  status?.lastError === undefined &&
  status?.lastOperation?.state === 'Succeeded' &&
  Date.parse(status.lastOperation.lastUpdateTime) >= Math.floor(Date.parse(at) / 1000) * 1000

const isMigrated = ({ status }: ExtensionObject): boolean =>
  status?.lastOperation?.type === 'Migrate' && status.lastOperation.state === 'Succeeded'

/** Returns false if the object of the request does not exist: an earlier run of gardenlet may have deleted it. */
const unlessGone = async (request: Promise<unknown>): Promise<boolean> => {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return false
    throw error
  }
}

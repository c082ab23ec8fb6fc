import type { Log } from '../../log/log.ts'
import type { KubernetesObject, ObjectKey } from '../port.ts'
import type { ReflectorHandler } from './reflector-handler.ts'

/** The stored facts of an object. The id of the entry contains its key. */
interface Known {
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** The known objects with their versions. Reports every difference to the handler. */
export interface KnownObjects {
  /** Reports that the object exists in this version. */
  upsert(object: KubernetesObject, initial: boolean): void
  remove(object: KubernetesObject): void
  /** Reports a complete list: removes all other objects and reports them. `present`: ids from `idOf`. */
  complete(present: ReadonlySet<string>): void
  /** Returns true if a list was completed. */
  synced(): boolean
  /** The server has sent everything up to this version. */
  reached(version: string): void
  /**
   * Returns true if a list with this version is older than the last known version: etcd was restored from a backup. It
   * may have given a version twice since, so no object counts as unchanged in the next list.
   */
  isBehind(version: string): boolean
  /** Runs a call of the handler and logs its error. Returns true if it succeeded. */
  call(what: string, object: string | undefined, callback: () => void): boolean
  readonly size: number
  /** The number of objects for which the handler last threw. */
  unhandled(): number
}

export const createKnownObjects = (
  plural: string,
  handler: ReflectorHandler,
  log: Log,
  most = Number.POSITIVE_INFINITY,
): KnownObjects => {
  const known = new Map<string, Known>()
  const unhandled = new Set<string>()
  let synced = false
  let isLogged = false
  /** The version of the last list, event or bookmark. */
  let lastVersion: string | undefined

  const call = (what: string, object: string | undefined, callback: () => void): boolean => {
    try {
      callback()
      return true
    } catch (error) {
      log.error('handler of watched objects failed', { resource: plural, what, object, error })
      return false
    }
  }

  const upsert = (object: KubernetesObject, initial: boolean) => {
    const key = keyOf(object)
    const id = idOf(key)
    const { uid, resourceVersion } = object.metadata
    const before = known.get(id)
    if (before && before.resourceVersion === resourceVersion && resourceVersion !== undefined) return
    if (before === undefined && known.size >= most) {
      const error = new Error(
        `the cluster has more than ${most} ${plural}, the most that one process follows. Run several bridges, each for some namespaces (--namespaces, --lease-name)`,
      )
      if (!isLogged) log.error('more objects than a process follows', { resource: plural, error })
      isLogged = true
      throw error
    }
    if (before && before.uid !== uid) call('deleted', id, () => handler.deleted(key))
    const handled = call('upsert', id, () => handler.upsert(object, { initial }))
    known.set(id, { uid, resourceVersion: handled ? resourceVersion : undefined })
    if (handled) unhandled.delete(id)
    else unhandled.add(id)
  }

  const remove = (key: ObjectKey) => {
    const id = idOf(key)
    unhandled.delete(id)
    if (known.delete(id)) call('deleted', id, () => handler.deleted(key))
  }

  const complete = (present: ReadonlySet<string>) => {
    const initial = !synced
    synced = true
    for (const id of known.keys()) if (!present.has(id)) remove(keyOfId(id))
    if (handler.replaced) {
      const keys = [...known.keys()].map(keyOfId)
      call('replaced', undefined, () => handler.replaced?.(keys))
    }
    if (initial) call('synced', undefined, () => handler.synced?.())
  }

  return {
    upsert,
    remove: object => remove(keyOf(object)),
    complete,
    synced: () => synced,
    reached: version => {
      lastVersion = version
    },
    isBehind: version => {
      const behind = Number(version) < Number(lastVersion)
      lastVersion = version
      if (behind) for (const [id, { uid }] of known) known.set(id, { uid, resourceVersion: undefined })
      return behind
    },
    call,
    unhandled: () => unhandled.size,
    get size() {
      return known.size
    },
  }
}

export const keyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey =>
  namespace === undefined ? { name } : { name, namespace }

/** `<namespace>/<name>`, or `<name>`. */
export const idOf = ({ name, namespace }: ObjectKey): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** Returns the key of an id from `idOf`. Names contain no slash. */
export const keyOfId = (id: string): ObjectKey => {
  const slash = id.indexOf('/')
  return slash < 0 ? { name: id } : { namespace: id.slice(0, slash), name: id.slice(slash + 1) }
}

import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'
import type { RunningStep } from '../process/process.ts'

/** `DNSRecord shoot--garden--rose/api`: the same in each seed and each incarnation. */
export type ObjectName = string

export const objectName = ({ kind, namespace, name }: Omit<RunningStep, 'event'>): ObjectName =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

/** Everything that is known of an extension object from all its versions in all seeds. */
export interface KnownObject {
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
  /** The last spec. */
  readonly spec: Readonly<Record<string, unknown>>
  /** Generated names in all its specs, such as `vpc-0123456789abcdef0`. */
  readonly given: ReadonlySet<string>
  /** The seeds in which it exists. */
  readonly seeds: ReadonlySet<string>
  readonly isDeleting: boolean
  /** The last deletion left its resources: it was forced, or followed a migration. */
  readonly isReleased: boolean
  /** Its last operation has succeeded for its last generation. */
  readonly isDone: boolean
}

/** Called with each version of an object. */
type Follow = (name: ObjectName, object: KnownObject) => void

/** Follows the objects of all seeds of a world. */
export interface SeenObjects {
  watch(seed: string, store: Store): void
  /** Calls the listener with each new version of an object. */
  follow(listener: Follow): void
  get(name: ObjectName): KnownObject | undefined
  all(): readonly (readonly [ObjectName, KnownObject])[]
  /** The access keys or users that its Secret has had. Empty: it has none, or no static ones. */
  accessKeys(object: Pick<KnownObject, 'namespace' | 'spec'>): ReadonlySet<string>
}

const kindOf = new Map(
  Object.entries(kinds).map(([kind, { resource }]) => [`${resource.plural}.${resource.group}`, kind]),
)

export const generatedName = /\b[a-z]+(?:-[a-z]+)*-[0-9a-f]{17}\b/g

export const createSeenObjects = (): SeenObjects => {
  const objects = new Map<ObjectName, KnownObject>()
  const keys = new Map<string, Set<string>>()
  const versions = new Map<ObjectName, string>()
  const forced = new Set<string>()
  const listeners: Follow[] = []

  const seeObject = (seed: string, kind: string, object: KubernetesObject, isGone: boolean): void => {
    const { namespace, name, deletionTimestamp, generation } = object.metadata
    const id = objectName({ kind, namespace, name })
    const known = objects.get(id)
    const version = `${seed} ${object.metadata.uid} ${generation}`
    const { lastOperation, lastError, observedGeneration } = Object(object.status)
    const seeds = new Set(known?.seeds)
    if (isGone) seeds.delete(seed)
    else seeds.add(seed)
    // Most writes change no spec.
    const isSameSpec = known !== undefined && versions.get(id) === version
    versions.set(id, version)
    const spec = isSameSpec ? known.spec : Object(object.spec)
    const isDeleting = deletionTimestamp !== undefined
    const next: KnownObject = {
      kind,
      namespace,
      name,
      spec,
      given: isSameSpec
        ? known.given
        : new Set([...(known?.given ?? []), ...(JSON.stringify(spec).match(generatedName) ?? [])]),
      seeds,
      isDeleting,
      isReleased:
        (isDeleting || isGone) &&
        // The force ends with the deletion of the shoot, and a step may have begun before.
        ((known?.isDeleting && known.isReleased) ||
          forced.has(namespace ?? '') ||
          isForcedItself(object) ||
          lastOperation?.type === 'Migrate'),
      isDone: lastOperation?.state === 'Succeeded' && !lastError && observedGeneration === generation,
    }
    objects.set(id, next)
    for (const listener of listeners) listener(id, next)
  }
  const see = (seed: string, resource: string, key: string, object: KubernetesObject, isGone: boolean) => {
    const kind = kindOf.get(resource)
    if (kind !== undefined) return seeObject(seed, kind, object, isGone)
    if (resource.startsWith('clusters.')) {
      if (isForced(object)) forced.add(key)
      else forced.delete(key)
    }
    if (resource === 'secrets') {
      const { accessKeyID, username } = Object(object.data)
      const text = accessKeyID ?? username
      if (typeof text !== 'string') return
      const known = keys.get(key) ?? new Set()
      keys.set(key, known.add(Buffer.from(text, 'base64').toString()))
    }
  }
  return {
    watch: (seed, store) => {
      for (const resource of store.resources())
        for (const { object } of store.collection(resource).list()) {
          const { namespace, name } = object.metadata
          see(seed, resource, namespace === undefined ? name : `${namespace}/${name}`, object, false)
        }
      store.subscribe((resource, { type, key, entry }) =>
        see(seed, resource, key, entry.object, type === 'DELETED'),
      )
    },
    follow: listener => void listeners.push(listener),
    get: name => objects.get(name),
    all: () => [...objects],
    accessKeys: ({ namespace, spec }) => {
      const { name, namespace: of = namespace } = Object(spec.secretRef)
      return keys.get(name === undefined ? `${namespace}/cloudprovider` : `${of}/${name}`) ?? new Set()
    },
  }
}

const forceDeletion = 'confirmation.gardener.cloud/force-deletion'
const isForcedItself = ({ metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[forceDeletion] === 'true'
const isForced = (cluster: KubernetesObject): boolean =>
  Object(Object(Object(Object(cluster.spec).shoot).metadata).annotations)[forceDeletion] === 'true'

import { group } from '../contract/constants.ts'
import { type KindName, kinds } from '../contract/kinds.ts'
import type { GroupVersionResource, Kubernetes } from '../kubernetes/kubernetes.ts'
import type { SecondaryKubernetes } from './secondary-actuator.ts'
import { SecondaryWriteError } from './secondary-write.ts'

/** Returns the place of a call in the author's code: `function.ts:12`. */
export type PlaceOf = (called: (...args: never) => unknown) => string | undefined

/**
 * Kubernetes for a step: refuses writes after its deadline, every write to objects of the observed kind, and every
 * write to a status of an extension object.
 */
export const secondaryKubernetes = (
  kubernetes: Kubernetes,
  options: {
    readonly kind: KindName
    readonly throwIfExpired: () => void
    readonly signal: AbortSignal
    readonly placeOf: PlaceOf
  },
): SecondaryKubernetes => {
  const { kind, throwIfExpired, signal, placeOf } = options
  const check = (
    called: (...args: never) => unknown,
    { group: of, plural }: GroupVersionResource,
    name: string,
    subresource?: string,
  ) => {
    const isObserved = of === group && plural === kinds[kind].plural
    if (isObserved || (of === group && subresource === 'status'))
      throw new SecondaryWriteError(subresource ?? 'any field', `${plural}/${name}`, placeOf(called))
    throwIfExpired()
  }
  const own = {
    get: (resource, key, given) => kubernetes.get(resource, key, { signal, ...given }),
    list: (resource, given) => kubernetes.list(resource, { signal, ...given }),
    create: async (resource, object, given) => {
      check(own.create, resource, object.metadata.name)
      return kubernetes.create(resource, object, { signal, ...given })
    },
    patch: async (resource, key, patch, given) => {
      check(own.patch, resource, key.name, given?.subresource)
      return kubernetes.patch(resource, key, patch, { signal, ...given })
    },
    apply: async (resource, object, given) => {
      check(own.apply, resource, object.metadata.name)
      return kubernetes.apply(resource, object, { signal, ...given })
    },
    delete: async (resource, key, given) => {
      check(own.delete, resource, key.name)
      return kubernetes.delete(resource, key, { signal, ...given })
    },
  } satisfies Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'apply' | 'delete'>
  return own
}

import { group } from '../contract/constants.ts'
import { type KindName, kinds } from '../contract/kinds.ts'
import type { GroupVersionResource } from '../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import type { SecondaryKubernetes } from './secondary-actuator.ts'
import { SecondaryWriteError } from './secondary-write.ts'

/** Returns the place of a call in the author's code: `function.ts:12`. */
export type PlaceOf = (called: (...args: never) => unknown) => string | undefined

/** Kubernetes for a step: refuses every write to objects of the observed kind, and to a status of an extension object. */
export const secondaryKubernetes = (
  kubernetes: StepKubernetes,
  { kind, placeOf }: { readonly kind: KindName; readonly placeOf: PlaceOf },
): SecondaryKubernetes => {
  const check = (
    called: (...args: never) => unknown,
    { group: of, plural }: GroupVersionResource,
    name: string,
    subresource?: string,
  ) => {
    const isObserved = of === group && plural === kinds[kind].plural
    if (isObserved || (of === group && subresource === 'status'))
      throw new SecondaryWriteError(subresource ?? 'any field', `${plural}/${name}`, placeOf(called))
  }
  const own = {
    get: kubernetes.get,
    list: kubernetes.list,
    create: async (resource, object, given) => {
      check(own.create, resource, object.metadata.name)
      return kubernetes.create(resource, object, given)
    },
    patch: async (resource, key, patch, given) => {
      check(own.patch, resource, key.name, given?.subresource)
      return kubernetes.patch(resource, key, patch, given)
    },
    apply: async (resource, object, given) => {
      check(own.apply, resource, object.metadata.name)
      return kubernetes.apply(resource, object, given)
    },
    delete: async (resource, key, given) => {
      check(own.delete, resource, key.name)
      return kubernetes.delete(resource, key, given)
    },
  } satisfies StepKubernetes
  return own
}

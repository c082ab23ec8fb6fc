import { isRecord } from '../../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { withOther } from './reviews.ts'

/** A review with a large value at one place of a valid object. */
export interface LargeReview {
  readonly name: string
  /** Creates the objects, which takes longer than a review of them. */
  readonly make: () => { readonly object: KubernetesObject; readonly oldObject?: KubernetesObject }
}

/** Creates values of about this many bytes. `present` is the value at the place. */
type Filler = (bytes: number, present: unknown) => unknown

const times = <T>(bytes: number, each: number, item: (index: number) => T): readonly T[] =>
  Array.from({ length: Math.floor(bytes / each) }, (_, index) => item(index))

/** Copies of a valid item, with a name of its own each. */
const copies = (bytes: number, item: unknown): readonly unknown[] =>
  times(bytes, JSON.stringify(item).length + 6, index =>
    isRecord(item) && typeof item.name === 'string'
      ? { ...item, name: `${item.name.slice(0, 8)}${index}` }
      : item,
  )

const fillers: Readonly<Record<string, Filler>> = {
  'a long text': bytes => 'a'.repeat(bytes),
  'a text of many parts': bytes => '10.0.0.0/8,'.repeat(bytes / 11),
  'a list of texts': bytes => times(bytes, 10, index => `x${index}`),
  'a list of equal texts': bytes => times(bytes, 6, () => 'abc'),
  'a list of empty objects': bytes => times(bytes, 3, () => ({})),
  'a list of named objects': bytes => times(bytes, 17, index => ({ name: `${index}` })),
  'a map of flags': bytes => Object.fromEntries(times(bytes, 12, index => [`x${index}`, true])),
  'a map of lists': bytes => Object.fromEntries(times(bytes, 10, index => [`x${index}`, []])),
  'copies of an item': (bytes, present) =>
    Array.isArray(present) && present.length > 0 ? copies(bytes, present[0]) : undefined,
}

/** Returns the paths of all values in an object, except what identifies it. */
const pathsIn = (value: unknown, path = ''): readonly string[] => {
  const inner = Array.isArray(value) ? value.slice(0, 1) : value
  const own =
    path === '' || /^(?:apiVersion|kind|metadata(?:\.(?:name|namespace))?)$/.test(path) ? [] : [path]
  if (typeof inner !== 'object' || inner === null) return own
  return [
    ...own,
    ...Object.entries(inner).flatMap(([name, field]) =>
      pathsIn(field, path === '' ? name : `${path}.${name}`),
    ),
  ]
}

const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], object)

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.toReversed()
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inner === false]))
  return typeof value === 'string' ? `${value.slice(1)}b` : value
}

/**
 * Generates reviews that are as large as given: each kind of large value at each place of an object and at more places,
 * in a new object, and in an update that reverses it.
 *
 * @param more paths of fields that the object lacks
 */
export function* largeReviews(
  object: KubernetesObject,
  bytes: number,
  more: readonly string[] = [],
): Generator<LargeReview> {
  for (const path of [...pathsIn(object), ...more]) {
    for (const [what, filler] of Object.entries(fillers)) {
      const present = at(object, path)
      if (filler(1_000, present) === undefined) continue
      const name = `${object.kind} ${path}: ${what}`
      yield { name, make: () => ({ object: withOther(object, { [path]: filler(bytes, present) }) }) }
      yield {
        name: `${name}, reversed`,
        make: () => {
          const half = filler(bytes / 2, present)
          return {
            object: withOther(object, { [path]: reversed(half) }),
            oldObject: withOther(object, { [path]: half }),
          }
        },
      }
    }
  }
}

/** Fields of a Shoot that a small one lacks. */
export const moreOfShoot = [
  'spec.provider.controlPlaneConfig.cloudControllerManager.featureGates',
  'spec.provider.workers.0.dataVolumes',
  'spec.provider.workers.0.labels',
  'spec.provider.workers.0.taints',
  'spec.provider.workers.0.providerConfig.dataVolumes',
  'spec.provider.workers.0.providerConfig.nodeTemplate.capacity',
  'spec.provider.infrastructureConfig.ignoreTags.keys',
  'spec.provider.infrastructureConfig.ignoreTags.keyPrefixes',
  'spec.networking.ipFamilies',
  'spec.networking.providerConfig.overlay',
  'spec.dns.providers',
  'spec.resources',
  'metadata.annotations',
  'metadata.managedFields',
]

import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { clusterKind, type KindName, kindCalled, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'
import { printable } from '../../shared/text/printable.ts'
import { findShoot, inGardenersOrder, readShoot, type SeedView } from '../observe/observe.ts'

/** The objects that an action is for. */
export interface ActionTarget {
  /** The namespace of the shoot. Undefined: the target is one object. */
  readonly shoot: string | undefined
  /** The Cluster of the shoot, or of the object's namespace. */
  readonly cluster: KubernetesObject | undefined
  /** In Gardener's order. */
  readonly objects: readonly KubernetesObject[]
  readonly view: SeedView
}

export interface TargetOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list'>
  readonly clock: Pick<Clock, 'now'>
  /** The kinds of the shoot's objects. Default: all. */
  readonly kinds?: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Reads the target of an action: a shoot, `KIND/NAMESPACE/NAME`, or `KIND/NAME` of a kind without namespaces. Throws a
 * `UsageError` if there is none.
 */
export const readTarget = async (given: string, options: TargetOptions): Promise<ActionTarget> => {
  const { kinds: chosen = [], kubernetes, signal } = options
  const wanted = chosen.map(kindOrThrow)
  if (given.includes('/')) {
    if (chosen.length > 0) throw new UsageError('--kind chooses objects of a shoot, and this is one object')
    return readObject(given, options)
  }
  const technical = await findShoot(given, kubernetes, signal)
  const view = await readShoot({ ...options, technical, part: 'extensions' })
  const cluster = view.objects.find(({ kind }) => kind === 'Cluster')
  const isDeleting = recordOf(recordOf(recordOf(cluster?.spec).shoot).metadata).deletionTimestamp != null
  const objects = view.objects.filter(
    ({ kind }) => kind !== 'Cluster' && (wanted.length === 0 || wanted.includes(kind as KindName)),
  )
  return { shoot: technical, cluster, objects: inGardenersOrder(objects, isDeleting), view }
}

const readObject = async (
  given: string,
  { kubernetes, clock, signal }: TargetOptions,
): Promise<ActionTarget> => {
  const [first = '', ...rest] = given.split('/')
  const kind = kindOrThrow(first)
  const { resource } = kinds[kind]
  const [name = '', namespace] = rest.toReversed()
  if (name === '' || rest.length !== (resource.namespaced ? 2 : 1) || namespace === '')
    throw new UsageError(
      `${printable(given)}: expected ${kind}/${resource.namespaced ? 'NAMESPACE/' : ''}NAME, or the name of a shoot`,
    )
  const object = await kubernetes.get(
    resource,
    { name, ...(namespace !== undefined && { namespace }) },
    { signal },
  )
  if (object === undefined)
    throw new UsageError(`there is no ${kind} ${printable(rest.join('/'))}. trellis status lists all shoots`)
  const cluster =
    namespace === undefined
      ? undefined
      : await kubernetes.get(clusterKind.resource, { name: namespace }, { signal })
  const view = viewOf({ ...object, kind }, cluster, clock)
  return { shoot: undefined, cluster, objects: [{ ...object, kind }], view }
}

/** Returns the view of one object and the Cluster of its namespace. */
export const viewOf = (
  object: KubernetesObject,
  cluster: KubernetesObject | undefined,
  clock: Pick<Clock, 'now'>,
): SeedView => ({
  at: clock.now(),
  objects: [object, ...(cluster === undefined ? [] : [{ ...cluster, kind: 'Cluster' }])],
  ...{ clustersRead: true, steps: undefined, missing: [] },
})

export const kindOrThrow = (given: string): KindName => {
  const found = kindCalled(given)
  if (found !== undefined) return found
  const near = nearestName(given, kindNames)
  throw new UsageError(
    `there is no kind ${printable(given)}${near === undefined ? `: expected one of ${kindNames.join(', ')}` : `. Did you mean ${near}?`}`,
  )
}

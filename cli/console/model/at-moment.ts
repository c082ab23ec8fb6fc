import type { TreeNode } from '../../observe/observe.ts'
import type { NodeVersion } from './history.ts'

/** Returns the index of the last item at or before a time, or -1. The items are in order of time. */
export const indexAt = (items: readonly { readonly at: number }[], time: number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle]?.at ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

export const itemAt = <T extends { readonly at: number }>(items: readonly T[], time: number): T | undefined =>
  items[indexAt(items, time)]

/** The versions of each node, by id, in order of time. */
export type NodeIndex = ReadonlyMap<string, readonly NodeVersion[]>

export const indexNodes = (versions: readonly NodeVersion[]): NodeIndex =>
  Map.groupBy(versions, ({ id }) => id)

/**
 * Returns the trees at a time: usually one, that of the shoot. A node without its parent is a root, because a hostile
 * or cut journal may lack the parent; a cycle of parents is left out.
 */
export const treesAt = (index: NodeIndex, time: number): readonly TreeNode[] => {
  const present = new Map<string, NodeVersion>()
  for (const [id, versions] of index) {
    const version = itemAt(versions, time)
    if (version?.node !== undefined) present.set(id, version)
  }
  const isRoot = ({ parent }: NodeVersion) => parent === undefined || !present.has(parent)
  const children = Map.groupBy(present.values(), version => (isRoot(version) ? '' : (version.parent ?? '')))
  const build = ({ id, node }: NodeVersion): TreeNode => ({
    ...(node ?? { kind: 'extension', title: id, state: 'unknown' }),
    id,
    children: inOrder(children.get(id) ?? []).map(build),
  })
  return inOrder(children.get('') ?? []).map(build)
}

const inOrder = (versions: readonly NodeVersion[]): readonly NodeVersion[] =>
  versions.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))

import type { TreeNode } from '../../observe/tree.ts'

/** A visible line of a tree. */
export interface TreeRow {
  readonly node: TreeNode
  readonly depth: number
  /** Undefined for a node without children. */
  readonly isOpen?: boolean
}

/** Returns the lines of the trees, without those inside of collapsed nodes. */
export const visibleRows = (
  trees: readonly TreeNode[],
  collapsed: ReadonlySet<string>,
  depth = 0,
): readonly TreeRow[] =>
  trees.flatMap(node => {
    if (node.children.length === 0) return [{ node, depth }]
    const isOpen = !collapsed.has(node.id)
    return [{ node, depth, isOpen }, ...(isOpen ? visibleRows(node.children, collapsed, depth + 1) : [])]
  })

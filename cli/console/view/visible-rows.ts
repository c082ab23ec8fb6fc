import type { TreeNode } from '../../observe/observe.ts'
import { foldedSteps } from './fold-steps.ts'

/** A visible line of a tree. */
export interface TreeRow {
  readonly node: TreeNode
  readonly depth: number
  /** Undefined for a node without children. */
  readonly isOpen?: boolean
}

/** Resources in the cloud are closed at first, unless one fails: the map shows them better. */
const isOpenAtFirst = ({ kind, state }: TreeNode): boolean => kind !== 'cloud resource' || state === 'failed'

/** Returns the lines of the trees, without those inside of closed nodes. A user has toggled some nodes. */
export const visibleRows = (
  trees: readonly TreeNode[],
  toggled: ReadonlySet<string>,
  depth = 0,
): readonly TreeRow[] =>
  foldedSteps(trees).flatMap(node => {
    if (node.children.length === 0) return [{ node, depth }]
    const isOpen = isOpenAtFirst(node) !== toggled.has(node.id)
    return [{ node, depth, isOpen }, ...(isOpen ? visibleRows(node.children, toggled, depth + 1) : [])]
  })

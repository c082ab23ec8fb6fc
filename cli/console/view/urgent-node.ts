import type { TreeNode } from '../../observe/observe.ts'

/** Returns the deepest node that fails, or else the first that waits or works. */
export const urgentNode = (trees: readonly TreeNode[]): TreeNode | undefined => {
  const all = trees.flatMap(withChildren).filter(({ kind }) => kind !== 'shoot')
  return (
    all.find(({ state, error }) => state === 'failed' && error !== undefined) ??
    all.find(({ state }) => state === 'failed') ??
    all.find(({ state, why }) => state === 'waiting' && why !== undefined) ??
    all.find(({ state }) => state === 'working')
  )
}

const withChildren = (node: TreeNode): readonly TreeNode[] => [node, ...node.children.flatMap(withChildren)]

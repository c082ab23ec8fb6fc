import type { TreeNode } from '../../observe/observe.ts'
import type { FlatNode, NodeVersion } from '../model/history.ts'

/** Finds the changes between the trees of one shoot at successive moments. */
export interface TreeHistory {
  /** Returns the versions that the tree at `at` adds. The tree is undefined if the shoot does not exist. */
  readonly add: (tree: TreeNode | undefined, at: number, n: number) => readonly NodeVersion[]
}

interface PlacedNode {
  readonly parent: string | undefined
  readonly order: number
  readonly node: FlatNode
}

export const createTreeHistory = (): TreeHistory => {
  let known = new Map<string, string>()
  return {
    add: (tree, at, n) => {
      const added: NodeVersion[] = []
      const present = new Map<string, string>()
      for (const [id, { parent, order, node }] of placedNodes(tree)) {
        const version = { id, order, node, ...(parent !== undefined && { parent }) }
        const text = JSON.stringify(version)
        present.set(id, text)
        if (known.get(id) !== text) added.push({ n, at, ...version })
      }
      for (const id of known.keys()) if (!present.has(id)) added.push({ n, at, id })
      known = present
      return added
    },
  }
}

/** The first node with an id counts: ids are unique in a tree. */
const placedNodes = (tree: TreeNode | undefined): ReadonlyMap<string, PlacedNode> => {
  const found = new Map<string, PlacedNode>()
  const visit = ({ id, children, ...node }: TreeNode, parent: string | undefined, order: number) => {
    if (found.has(id)) return
    found.set(id, { parent, order, node })
    children.forEach((child, index) => void visit(child, id, index))
  }
  if (tree !== undefined) visit(tree, undefined, 0)
  return found
}

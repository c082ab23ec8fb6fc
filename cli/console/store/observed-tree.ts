import type { CloudResource, ResourcesOf } from '../../../sandbox/providers/provider.ts'
import { isKindName } from '../../../shared/contract/kinds.ts'
import {
  extensionNode,
  isObserved,
  type SeedView,
  shootTree,
  stepsTree,
  type TreeNode,
  worstOf,
} from '../../observe/observe.ts'
import type { TreeAt } from './shoot-store.ts'

/**
 * Returns the trees of `trellis trace`.
 *
 * @param commandOf changes each command to copy. Default: it stays
 */
export const observedTree = (
  resources: ResourcesOf,
  commandOf: (run: string) => string = run => run,
): TreeAt => {
  const resourcesOf = remembered(resources)
  return ({ shoot, objects, isPast, ...moment }) => {
    if (isPast) return stepsTree({ ...moment, objects: [], missing: [] }, shoot)
    if (objects.size === 0) return undefined
    const view = { ...moment, objects: [...objects.values()].filter(isObserved), missing: [] }
    const tree = shoot === '' ? seedTree(view, resourcesOf) : shootTree(view, shoot, resourcesOf)
    return tree && withCommands(tree, commandOf)
  }
}

const withCommands = (node: TreeNode, commandOf: (run: string) => string): TreeNode => ({
  ...node,
  ...(node.run !== undefined && { run: commandOf(node.run) }),
  children: node.children.map(child => withCommands(child, commandOf)),
})

/** The objects that belong to no shoot, such as BackupBuckets. */
const seedTree = (view: SeedView, resourcesOf: ResourcesOf): TreeNode => {
  const children = view.objects
    .filter(({ kind }) => isKindName(kind))
    .map(object => extensionNode(object, view, { resourcesOf }))
  return {
    id: 'Seed',
    kind: 'shoot',
    title: 'Objects of the seed',
    state: worstOf(children.map(({ state }) => state)),
    children,
  }
}

/** Versions of an object are values: most trees have the same ones as the tree before. */
const remembered = (resourcesOf: ResourcesOf): ResourcesOf => {
  const known = new WeakMap<object, readonly CloudResource[]>()
  return object => {
    const found = known.get(object) ?? resourcesOf(object)
    known.set(object, found)
    return found
  }
}

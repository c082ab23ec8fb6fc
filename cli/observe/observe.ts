/**
 * A seed at one moment, for readers: why its objects wait, what comes next, and the tree of each shoot. All of it is
 * computed from a `SeedView`, which is read live or from a journal.
 */

export { chooseShoot, findShoot } from './find-shoot.ts'
export { type Outlook, outlookOf, type Surroundings } from './outlook.ts'
export { detailsOf, marks, nextAsText, painted, treeAsText, unpainted } from './output/text.ts'
export { providedResources } from './provided-resources.ts'
export { type ReadShootOptions, readShoot } from './read-shoot.ts'
export { ofKind, type SeedView, viewIdOf } from './seed-view.ts'
export { clusterOfShoot, shootFactsOf, shootNamespaceOf, surroundingsOf } from './shoot-of.ts'
export { extensionNode, shootTree } from './shoot-tree.ts'
export { clockText, durationText } from './time-text.ts'
export { type NextStep, type NodeError, type NodeState, nodeStates, type TreeNode, worstOf } from './tree.ts'

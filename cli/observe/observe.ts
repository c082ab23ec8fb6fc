/**
 * A seed at one moment, for readers: why its objects wait, what comes next, and the tree of each shoot. All of it is
 * computed from a `SeedView`, which is read live or from a journal.
 */

// The view.

export { isObserved, journalView } from './journal-view.ts'
export { type BridgeSteps, stepsAtUrl, stepsOfBridges, withSteps } from './live/bridge-steps.ts'
export { chooseShoot, findShoot } from './live/find-shoot.ts'
export { observedResources } from './live/observed-resources.ts'
export { type ObserveSeedOptions, readSeed } from './live/read-seed.ts'
export { type ReadShootOptions, readShoot } from './live/read-shoot.ts'
export {
  type JournalFile,
  momentIn,
  readJournalEntries,
  readJournalFile,
  shootInJournal,
} from './read-journal-file.ts'
export { ofKind, type SeedView, viewIdOf } from './seed-view.ts'
export { clusterOfShoot, shootFactsOf, shootNamespaceOf, shootsIn, surroundingsOf } from './shoot-of.ts'

// Outlooks, trees, statuses and histories, computed from a view.

export { type ObjectSurroundings, type Outlook, outlookOf } from './outlook.ts'
export { providedResources } from './provided-resources.ts'
export { type ShootStatus, seedStatus } from './seed-status.ts'
export { type HistoryRow, shootHistory } from './shoot-history.ts'
export { extensionNode, shootTree } from './shoot-tree.ts'
export { type NextStep, type NodeError, type NodeState, nodeStates, type TreeNode, worstOf } from './tree.ts'

// Its texts.

export { treeAsDot, treeAsMermaid } from './output/graph.ts'
export { historyAsText } from './output/history-text.ts'
export { treeAsPerfetto } from './output/perfetto.ts'
export { statusAsText } from './output/status-text.ts'
export {
  detailsOf,
  marks,
  nextAsText,
  type PaintState,
  painted,
  treeAsText,
  unpainted,
} from './output/text.ts'
export { type ShowOptions, showView } from './show-view.ts'
export { clockText, durationText } from './time-text.ts'

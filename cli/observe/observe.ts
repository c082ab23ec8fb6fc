/**
 * A seed at one moment, for readers: why its objects wait, what comes next, and the tree of each shoot. All of it is
 * computed from a `SeedView`, which is read live or from a journal.
 */

// The view.

export { isObserved, journalView } from './journal-view.ts'
export { type BridgeSteps, stepsAtUrl, stepsOfBridges, withSteps } from './live/bridge-steps.ts'
export { chooseShoot, findShoot } from './live/find-shoot.ts'
export { observedResources } from './live/observed-resources.ts'
export { type ReadKind, readKind, unreadOf } from './live/read-kinds.ts'
export { readSeed } from './live/read-seed.ts'
export { readShoot } from './live/read-shoot.ts'
export { momentIn, readJournalEntries, readJournalFile, shootInJournal } from './read-journal-file.ts'
export { pathOf, type SeedView, unreadText, viewIdOf } from './seed-view.ts'
export { bridgeDeployments, type IsServed, isClaimed, kindAndType, servedBy } from './served.ts'
export { retryText, shootFactsOf, shootNamespaceOf, shootOfObject, shootsIn } from './shoot-of.ts'

// Outlooks, trees, statuses and histories, computed from a view.

export { kindCalled } from '../../shared/contract/kinds.ts'
export { causesOf } from './causes.ts'
export { inGardenersOrder } from './order.ts'
export { type Outlook, outlookOf, pauseText, requestsToKeep, resumeOf } from './outlook.ts'
export { providedResources } from './provided-resources.ts'
export { type ShootStatus, seedStatus } from './seed-status.ts'
export { shootHistory } from './shoot-history.ts'
export { extensionNode, shootTree } from './shoot-tree.ts'
export { stateAfter, stepsTree } from './steps-tree.ts'
export { type NextStep, type NodeState, nodeStates, type TreeNode, worstOf } from './tree.ts'
export { recordedIn, type Verification, verifiedTree } from './verified-tree.ts'

// Its texts.

export { historyAsText, recordedText } from './output/history-text.ts'
export { causesAsText, statusAsText } from './output/status-text.ts'
export { marks, type PaintState, painted, runMark, treeAsText, unpainted } from './output/text.ts'
export { type ShowOptions, showView } from './show-view.ts'
export { clockText, durationText } from './time-text.ts'

/**
 * The effects of a changed Shoot on its nodes, before they happen: which pools get other MachineClasses, and why. Pure:
 * admission warns with it. Loads nothing of the flow.
 */

export { nodeWarnings } from './in-words.ts'
export { nodeAgentSecretNames } from './node-agent-names.ts'
export { type HashInputsOf, type NodeChange, type NodeCount, nodeChanges } from './node-changes.ts'

/**
 * The effects of a changed Shoot on its nodes, before they happen: which pools get other MachineClasses, and why. Pure:
 * admission warns with it. Loads nothing of the flow.
 */

export { nodeAgentSecretNames } from './node-agent-names.ts'
export { type HashInputsOf, type NodeChange, type NodeCount, nodeChanges } from './node-changes.ts'
export { nodeWarnings } from './node-warnings.ts'

/**
 * From an event to the status of its object. An author of an extension writes an `Actuator`; `runStep` reads the
 * object, decides, claims it, calls the actuator and writes the outcome. The bridge uses the same rules (`dueWorkOf`)
 * to decide which events to send.
 */

// For authors of extensions.

export {
  type Actuator,
  continueAfter,
  done,
  type ForcedStepContext,
  type Orphans,
  orphaning,
  type Secret,
  type StepContext,
  StepContinuesError,
  type StepKubernetes,
  type StepResult,
} from './actuator.ts'
export type { Backend } from './backend.ts'
export { continueSoon, pauseAfter } from './continue-soon.ts'

// Runs in a process for each event.

export { defaultStepLimits, longestStepLimits, type StepLimits, type StepOutcome } from './backend.ts'
export { type CheckWriter, createWriteOrder } from './step/object-writer.ts'
export { runStep } from './step/run-step.ts'

// Derives the due work from the object alone.

export { backoffMs, type StepSeen, stepEnd } from './decide/claim.ts'
export {
  type DueWork,
  dueWork,
  dueWorkOf,
  type PieceOfWork,
  type Reason,
  stepIsComplete,
} from './decide/due-work.ts'
export {
  type Facts,
  factsOf,
  lastOperationMark,
  unknownOperationOf,
  unknownOperationText,
  withShootPause,
} from './decide/facts.ts'
export { kindRules } from './decide/kind-rules.ts'

// The other inputs of a step, for plans and replays.

export { secrets } from '../kubernetes/core-resources.ts'
export { hasSecret, lifecyclePermissions } from './decide/lifecycle-permissions.ts'
export { clusterOf, credentialsRefOf, decodeSecret, readSecret } from './step/preconditions.ts'
export { redact, redactTexts, secretTexts, shortestSecret } from './step/redact.ts'
export { stepKubernetes } from './step/run-claimed-step.ts'

// For plans: runs the code of a step and records its writes.

export type { StepEvent } from './backend.ts'
export { operationType } from './decide/claim.ts'
export { type NotedWrite, notedKubernetes } from './dry-run/noted-kubernetes.ts'
export {
  type CloudPlanInput,
  refuseWrites,
  type SeedPlanInput,
  withCluster,
} from './dry-run/plan-input.ts'
export { type ReadKubernetes, unchangedKubernetes } from './dry-run/plan-kubernetes.ts'
export { plannedStep } from './dry-run/planned-step.ts'
export { type PlannedWrite, plannedWrite } from './dry-run/planned-write.ts'
export { type WrittenKubernetes, writtenKubernetes } from './dry-run/written-kubernetes.ts'

// For the suites of other rooms.

export { metadataHashOf, requestOf } from './decide/facts.ts'
export { longestForcedMs } from './decide/forced-deletion.ts'
export { UnreportedError } from './step/kind-hooks.ts'

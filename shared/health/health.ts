/**
 * Conditions for gardenlet: the health checks of a function's objects, as data beside its definition, and the run that
 * writes their results.
 */

// For authors of functions.

export type { CheckPlace } from './checks/check-place.ts'
export { type DeploymentCheckOptions, deploymentCheck } from './checks/deployment-check.ts'
export { machinesCheck } from './checks/machines-check.ts'
export { managedResourceCheck } from './checks/managed-resource-check.ts'
export { nodesCheck } from './checks/nodes-check.ts'
export { type PodsCheckOptions, podsCheck } from './checks/pods-check.ts'
export { daemonSetCheck, statefulSetCheck } from './checks/set-checks.ts'
export { shootEventsCheck } from './checks/shoot-events-check.ts'
export { declaredHealthOf, type FunctionWithHealth, ownHealthOf } from './declared-health.ts'
export {
  adaptCheck,
  type CheckChanges,
  type CheckContext,
  type CheckedCondition,
  type CheckResult,
  type HealthCheck,
  type HealthDefinition,
  hasWorkers,
  successful,
  unsuccessful,
} from './health-check.ts'
export { deploymentsPermission } from './read-deployments.ts'

// Runs in a process for each event.

export { type HealthCheckDeps, longestCheckMs, runHealthCheck } from './run-health-check.ts'

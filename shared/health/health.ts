/**
 * Conditions for gardenlet: the health checks of a function's objects, as data beside its definition, and the run that
 * writes their results.
 */

// For authors of functions.

export { type DeploymentCheckOptions, deploymentCheck } from './checks/deployment-check.ts'
export { machinesCheck } from './checks/machines-check.ts'
export { managedResourceCheck } from './checks/managed-resource-check.ts'
export { nodesCheck } from './checks/nodes-check.ts'
export { shootEventsCheck } from './checks/shoot-events-check.ts'
export {
  type CheckContext,
  type CheckedCondition,
  type CheckResult,
  type HealthCheck,
  type HealthDefinition,
  successful,
  unsuccessful,
} from './health-check.ts'
export { deploymentsPermission } from './read-deployments.ts'

// Runs in a process for each event.

export { type HealthCheckDeps, longestCheckMs, runHealthCheck } from './run-health-check.ts'

/** The exports for authors of health checks; described in docs/library.md. */
export {
  type CheckContext,
  type CheckedCondition,
  type CheckResult,
  type DeploymentCheckOptions,
  deploymentCheck,
  deploymentsPermission,
  type HealthCheck,
  type HealthDefinition,
  managedResourceCheck,
  nodesCheck,
  successful,
  unsuccessful,
} from '../../shared/health/health.ts'

import { type HealthDefinition, nodesCheck } from '../../../shared/health/health.ts'

/** The health checks of a Worker (docs/contract/health.md#what-is-checked). */
export const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [nodesCheck()] }],
}

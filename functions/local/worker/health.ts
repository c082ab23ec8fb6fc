import { type HealthDefinition, nodesCheck } from '../../../shared/health/health.ts'

/** What the health of a Worker is made of (docs/contract/health.md#what-is-checked). */
export const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [nodesCheck()] }],
}

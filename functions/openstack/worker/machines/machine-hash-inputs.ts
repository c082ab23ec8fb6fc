import type { HashInputsOf } from '../../../../shared/worker/rolls/rolls.ts'
import { readWorkerConfig } from './config/worker-config.ts'
import { hashInputsOf } from './hash-inputs.ts'

/**
 * The hash inputs of a pool without its server group, which only Nova knows: its policy has the same effect, because
 * another policy means another server group. Throws an Error for a malformed WorkerConfig.
 */
export const machineHashInputs: HashInputsOf = pool => {
  const config = readWorkerConfig(pool.providerConfig)
  return hashInputsOf(pool, config, config?.serverGroup?.policy || undefined)
}

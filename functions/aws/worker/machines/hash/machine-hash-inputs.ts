import type { HashInputsOf } from '../../../../../shared/worker/rolls/rolls.ts'
import { readWorkerConfig } from '../config/read-worker-config.ts'
import { hashInputsOf } from './hash-inputs.ts'

/** The hash inputs of a pool without its infrastructure and image. Throws an Error for a malformed WorkerConfig. */
export const machineHashInputs: HashInputsOf = pool =>
  hashInputsOf(pool, readWorkerConfig(pool.providerConfig))

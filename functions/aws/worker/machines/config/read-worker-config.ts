import { messageOf } from '../../../../../shared/text/message-of.ts'
import { decodeStrictly } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { type WorkerConfig, workerConfigSchema } from './worker-config.ts'

/**
 * Returns the WorkerConfig of a pool, or undefined if the pool has none. Throws an Error with the Go extension's text
 * if it is malformed.
 */
export const readWorkerConfig = (providerConfig: unknown): WorkerConfig | undefined => {
  if (providerConfig === undefined) return undefined
  try {
    return decodeStrictly(workerConfigSchema, providerConfig)
  } catch (error) {
    throw new Error(`could not decode provider config: ${messageOf(error)}`)
  }
}

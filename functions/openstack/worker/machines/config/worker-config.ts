import * as z from 'zod'
import { canonicalQuantity } from '../../../../../shared/contract/quantity.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import {
  decodeStrictly,
  head,
  list,
  optional,
  text,
} from '../../../../../terraform-free-infra/openstack/account/config/config.ts'

/** Returns true if a value is a valid Kubernetes quantity, such as `2`, `1500m` or `9Gi`. */
const isQuantity = (value: string | number): boolean => {
  try {
    canonicalQuantity(value)
    return true
  } catch {
    return false
  }
}

const quantities = z.record(
  z.string(),
  z.union([z.string(), z.number()]).refine(isQuantity, 'expected a quantity such as 500m or 20Gi'),
)

/**
 * The provider's `WorkerConfig`, which users write as `providerConfig` of a pool
 * (docs/contract/openstack.md#other-objects). Unknown fields are refused, as in the Go extension.
 */
export const workerConfigSchema = z.strictObject({
  ...head('WorkerConfig'),
  nodeTemplate: optional(
    z.strictObject({ capacity: optional(quantities), virtualCapacity: optional(quantities) }),
  ),
  serverGroup: optional(z.strictObject({ policy: text })),
  machineLabels: list(
    z.strictObject({ name: text, value: text, triggerRollingOnUpdate: optional(z.boolean()) }),
  ),
  additionalSecurityGroups: list(z.string()),
})
export type OpenStackWorkerConfig = Readonly<z.output<typeof workerConfigSchema>>

/** Returns the WorkerConfig of a pool; undefined if it has none. Throws an Error with the Go extension's text. */
export const readWorkerConfig = (providerConfig: unknown): OpenStackWorkerConfig | undefined => {
  if (providerConfig === undefined || providerConfig === null) return undefined
  try {
    return decodeStrictly(workerConfigSchema, providerConfig)
  } catch (error) {
    throw new Error(`could not decode provider config: ${messageOf(error)}`)
  }
}

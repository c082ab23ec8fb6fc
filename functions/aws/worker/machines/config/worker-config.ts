import * as z from 'zod'
import { canonicalQuantity } from '../../../../../shared/contract/quantity.ts'
import { head, list, optional, text } from '../../../../../terraform-free-infra/aws/account/config/config.ts'

/** Returns true if a value is a valid Kubernetes quantity, such as `2`, `1500m` or `9Gi`. */
const isQuantity = (value: string | number): boolean => {
  try {
    canonicalQuantity(value)
    return true
  } catch {
    return false
  }
}

const integer = z.int()

/** A number that defaults to 0, as in Go. */
const number = integer.nullish().transform(value => value ?? 0)

const quantities = z.record(
  z.string(),
  z.union([z.string(), z.number()]).refine(isQuantity, 'expected a quantity such as 500m or 20Gi'),
)
export type Quantities = Readonly<z.output<typeof quantities>>

const performance = { iops: optional(integer), throughput: optional(integer) }

const networkInterface = z.strictObject({
  type: optional(z.string()),
  deviceIndex: optional(integer),
  networkCardIndex: optional(integer),
  networkCardIndexRange: optional(z.strictObject({ from: number, to: number })),
  subnetID: optional(z.string()),
  description: optional(z.string()),
})
export type ConfigInterface = Readonly<z.output<typeof networkInterface>>

/**
 * The provider's `WorkerConfig`, which users write as `providerConfig` of a pool
 * (docs/contract/workers-aws.md#workerconfig). Unknown fields are refused, as in Gardener's own extension.
 */
export const workerConfigSchema = z.strictObject({
  ...head('WorkerConfig'),
  nodeTemplate: optional(
    z.strictObject({ capacity: optional(quantities), virtualCapacity: optional(quantities) }),
  ),
  volume: optional(z.strictObject(performance)),
  dataVolumes: list(z.strictObject({ name: text, ...performance, snapshotID: optional(z.string()) })),
  iamInstanceProfile: optional(z.strictObject({ name: optional(z.string()), arn: optional(z.string()) })),
  instanceMetadataOptions: optional(
    z.strictObject({ httpTokens: optional(z.string()), httpPutResponseHopLimit: optional(integer) }),
  ),
  cpuOptions: optional(
    z.strictObject({
      coreCount: optional(integer),
      threadsPerCore: optional(integer),
      amdSevSnp: optional(z.string()),
    }),
  ),
  capacityReservation: optional(
    z.strictObject({
      capacityReservationPreference: optional(z.string()),
      capacityReservationId: optional(z.string()),
      capacityReservationResourceGroupArn: optional(z.string()),
    }),
  ),
  instanceMarketOptions: optional(z.strictObject({ marketType: text })),
  networkInterfaces: list(networkInterface),
  placement: optional(
    z.strictObject({
      groupId: optional(z.string()),
      tenancy: optional(z.string()),
      hostId: optional(z.string()),
      partitionNumber: optional(integer),
      affinity: optional(z.string()),
    }),
  ),
})
export type WorkerConfig = Readonly<z.output<typeof workerConfigSchema>>

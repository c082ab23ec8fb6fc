import * as z from 'zod'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { decodeStrictly, head, optional, text } from '../../account/config/config.ts'

/** @param object refuses or ignores unknown fields */
const schemaOf = (object: typeof z.strictObject) =>
  object({
    ...head('InfrastructureConfig'),
    floatingPoolName: text,
    floatingPoolSubnetName: optional(z.string()),
    networks: object({
      id: optional(z.string()),
      router: optional(object({ id: text })),
      workers: text,
      worker: text,
      subnetPool: optional(object({ id: text, prefixLength: z.int().nullish() })),
      shareNetwork: optional(object({ enabled: optional(z.boolean()) })),
      ipv6: optional(
        object({
          subnetPoolID: optional(z.string()),
          nodeCIDR: text,
          podCIDR: text,
          serviceCIDR: text,
        }),
      ),
    }),
  })

/**
 * The provider's `InfrastructureConfig`, which users write into `spec.provider.infrastructureConfig` of a shoot
 * (docs/contract/provider-openstack.md#infrastructure). Unknown fields are refused, as in Gardener's own extension.
 */
export const configSchema = schemaOf(z.strictObject)
export type InfrastructureConfig = Readonly<z.output<typeof configSchema>>

/** Unknown fields do not matter for a deletion. */
const lenientSchema = schemaOf(z.object as unknown as typeof z.strictObject)

/** Parses `spec.providerConfig`. Throws a `CodedError` that names the fields. */
export const readConfig = (
  value: unknown,
  { lenient = false }: { readonly lenient?: boolean } = {},
): InfrastructureConfig => {
  try {
    return decodeStrictly(lenient ? lenientSchema : configSchema, value)
  } catch (error) {
    throw configurationProblem(`spec.providerConfig: ${messageOf(error)}`, error)
  }
}

/** Returns the CIDR of the nodes, empty if a subnet pool chooses it. `worker` is the former name of the field. */
export const workersOf = ({ networks }: InfrastructureConfig): string => networks.workers || networks.worker

/** Returns the IPv6 CIDRs of the config, or undefined if a subnet pool chooses them. */
export const ipv6RangesOf = ({ networks: { ipv6 } }: InfrastructureConfig) =>
  ipv6 !== undefined && ipv6.nodeCIDR !== '' ? ipv6 : undefined

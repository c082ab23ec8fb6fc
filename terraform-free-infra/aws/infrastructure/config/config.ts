import * as z from 'zod'
import { type Problem, problemsOf } from '../../../../shared/decode/problems.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { isUnknown, type UnknownKeys, unknownFields } from '../../../../shared/decode/unknown-fields.ts'
import { apiVersion, list, optional } from '../../account/config/config.ts'

export { apiVersion } from '../../account/config/config.ts'

/** No region has this many zones, local zones included. The limit matters because subnets are compared pairwise. */
const mostZones = 100

const zone = z.strictObject({
  name: z.string(),
  internal: optional(z.string()),
  public: optional(z.string()),
  workers: optional(z.string()),
  workersSubnetID: optional(z.string()),
  publicSubnetID: optional(z.string()),
  internalSubnetID: optional(z.string()),
  elasticIPAllocationID: optional(z.string()),
})
/** The networks of an availability zone: CIDRs of subnets to create, or ids of the user's subnets. */
export type ConfigZone = Readonly<z.output<typeof zone>>

const vpc = z.strictObject({
  id: optional(z.string()),
  cidr: optional(z.string()),
  gatewayEndpoints: list(z.string()),
  ipv6IpamPool: optional(z.strictObject({ id: optional(z.string()), cidrBlock: optional(z.string()) })),
})

/**
 * The provider's `InfrastructureConfig`, which users write into `spec.provider.infrastructureConfig` of a shoot
 * (docs/contract/provider-aws.md#infrastructureconfig). Unknown fields are refused, as in Gardener's own extension.
 */
export const configSchema = z.strictObject({
  apiVersion: z.literal(apiVersion),
  kind: z.literal('InfrastructureConfig'),
  enableECRAccess: optional(z.boolean()),
  enableDedicatedTenancyForVPC: optional(z.boolean()),
  enableMTUCustomizer: optional(z.boolean()),
  dualStack: optional(z.strictObject({ enabled: optional(z.boolean()) })),
  elasticFileSystem: optional(z.strictObject({ enabled: optional(z.boolean()), id: optional(z.string()) })),
  ignoreTags: optional(z.strictObject({ keys: list(z.string()), keyPrefixes: list(z.string()) })),
  networks: z.strictObject({
    vpc,
    zones: z
      .array(zone)
      .max(mostZones, `expected at most ${mostZones} zones`)
      .nullish()
      .transform(zones => zones ?? []),
    nodesSecurityGroupID: optional(z.string()),
  }),
})
export type InfrastructureConfig = Readonly<z.output<typeof configSchema>>

/** A config, or all problems of its format. Paths are relative to the config. */
export type Decoded =
  | { readonly ok: true; readonly config: InfrastructureConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Parses `spec.providerConfig`.
 *
 * @param options.lenient ignores unknown fields, for the deletion of existing objects
 */
export const decodeConfig = (value: unknown, options: { readonly lenient?: boolean } = {}): Decoded => {
  const { data, error } = configSchema.safeParse(value)
  if (error === undefined) return { ok: true, config: data }
  const unknown = error.issues.filter(isUnknown)
  if (options.lenient && unknown.length > 0) return decodeConfig(without(unknown, value), options)
  const { fields, more } = unknownFields(configSchema, unknown)
  return {
    ok: false,
    problems: [
      ...fields.map(({ path, nearest }) => ({
        path,
        message: `unknown field of an InfrastructureConfig${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`,
      })),
      ...(more > 0 ? [{ path: '', message: `and ${more} more unknown fields` }] : []),
      ...problemsOf(
        error.issues.filter(issue => !isUnknown(issue)),
        value,
      ),
    ],
  }
}

const without = (issues: readonly UnknownKeys[], value: unknown): unknown => {
  const copy: unknown = structuredClone(value)
  for (const { path, keys } of issues) {
    const object = valueAt(copy, ...path)
    if (typeof object === 'object' && object !== null)
      for (const key of keys) Reflect.deleteProperty(object, key)
  }
  return copy
}

/** Returns the config without the user's VPC, for resources created before it named one. */
export const withManagedVpc = (config: InfrastructureConfig): InfrastructureConfig => ({
  ...config,
  networks: { ...config.networks, vpc: { ...config.networks.vpc, id: undefined } },
})

import * as z from 'zod'

/** Group and version of all provider objects in Gardener's fields. */
export const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** An optional field. Go reads null as absent. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** A list, empty if it is absent. */
const list = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform(items => items ?? [])

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

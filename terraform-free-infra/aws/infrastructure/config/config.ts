import * as z from 'zod'

/** Group and version of every object of the provider that stands in a field of Gardener's. */
export const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** A field that need not be there; Go reads null as absent. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** A list, empty when it is not there. */
const list = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform(items => items ?? [])

/** No region has as many, local zones included; and their subnets are compared pair by pair. */
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
/** The networks of an availability zone: CIDRs of subnets that are made, or ids of the user's subnets. */
export type ConfigZone = Readonly<z.output<typeof zone>>

const vpc = z.strictObject({
  id: optional(z.string()),
  cidr: optional(z.string()),
  gatewayEndpoints: list(z.string()),
  ipv6IpamPool: optional(z.strictObject({ id: optional(z.string()), cidrBlock: optional(z.string()) })),
})

/**
 * `InfrastructureConfig` of the provider, which users write as `spec.provider.infrastructureConfig` of a shoot
 * (docs/contract/provider-aws.md#infrastructureconfig). Unknown fields are refused, as Gardener's own extension does.
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

import * as z from 'zod'
import { decodeStrictly } from '../../../../build/library/trellis.ts'

/** Group and version of `providerConfig` and `providerStatus` of a Network of type `calico`. */
export const networkConfigVersion = 'calico.networking.extensions.gardener.cloud/v1alpha1'

/** Like Go, reads null as absent. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** Defaults to false, as in Go. */
const flag = z
  .boolean()
  .nullish()
  .transform(value => value ?? false)

const section = <S extends z.ZodRawShape>(shape: S) => optional(z.strictObject(shape))
const switched = section({ enabled: flag })

const backend = z.enum(['bird', 'none', 'vxlan'])
const pool = z.enum(['ipip', 'vxlan'])
const poolMode = z.enum(['Always', 'Never', 'CrossSubnet', 'Off'])

/** User texts for the environment of a container. The length is limited, since all of them are in one Secret. */
const text = z.string().max(1_000)

/** A Kubernetes quantity. */
const quantity = z.union([z.string().max(64), z.number()])
const resources = section({ cpu: optional(quantity), memory: optional(quantity) })

/**
 * Calico's `NetworkConfig`, which users write as `spec.networking.providerConfig` of a shoot
 * (docs/contract/small-kinds.md#network).
 */
export const networkConfigSchema = z.strictObject({
  apiVersion: optional(z.literal(networkConfigVersion)),
  kind: optional(z.literal('NetworkConfig')),
  backend: optional(backend),
  ipam: section({ type: optional(z.enum(['', 'calico-ipam', 'host-local'])), cidr: optional(text) }),
  ipv4: section({ pool: optional(pool), mode: optional(poolMode), autoDetectionMethod: optional(text) }),
  ipv6: section({
    pool: optional(pool),
    mode: optional(poolMode),
    autoDetectionMethod: optional(text),
    sourceNATEnabled: optional(z.boolean()),
  }),
  typha: switched,
  vethMTU: optional(text),
  ebpfDataplane: switched,
  overlay: section({ enabled: flag, createPodRoutes: optional(z.boolean()) }),
  snatToUpstreamDNS: switched,
  autoScaling: section({
    mode: z.enum(['cluster-proportional', 'vpa', 'static']),
    resources: section({ node: resources, typha: resources }),
  }),
  vxlan: switched,
  // Deprecated fields: checked but without effect (docs/contract/small-kinds.md#network).
  ipip: optional(poolMode),
  ipAutodetectionMethod: optional(text),
  wireguardEncryption: flag,
  birdExporter: switched,
  multus: section({ enabled: flag, installCNIPlugins: optional(z.boolean()) }),
  serviceLoopPrevention: optional(z.enum(['Disabled', 'Drop', 'Reject'])),
})
export type NetworkConfig = z.output<typeof networkConfigSchema>

/** Decodes a `providerConfig`. Undefined and null give the defaults. Throws an Error that names the invalid fields. */
export const decodeNetworkConfig = (value: unknown): NetworkConfig =>
  decodeStrictly(networkConfigSchema, value ?? {})

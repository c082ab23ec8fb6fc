import * as z from 'zod'
import { decodeStrictly } from '../../../../shared/contract/decode-strictly.ts'

/** Group and version of what stands in `providerConfig` and `providerStatus` of a Network of type `calico`. */
export const networkConfigVersion = 'calico.networking.extensions.gardener.cloud/v1alpha1'

/** Go reads null as absent. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** False when it is not there, as Go has it. */
const flag = z
  .boolean()
  .nullish()
  .transform(value => value ?? false)

const section = <S extends z.ZodRawShape>(shape: S) => optional(z.strictObject(shape))
const switched = section({ enabled: flag })

const backend = z.enum(['bird', 'none', 'vxlan'])
const pool = z.enum(['ipip', 'vxlan'])
const poolMode = z.enum(['Always', 'Never', 'CrossSubnet', 'Off'])

/** Texts of a user that go into the environment of a container: bounded, since all of it goes into one Secret. */
const text = z.string().max(1_000)

/** An amount as Kubernetes writes it. */
const quantity = z.union([z.string().max(64), z.number()])
const resources = section({ cpu: optional(quantity), memory: optional(quantity) })

/** `NetworkConfig` of Calico, which users write as `spec.networking.providerConfig` of a shoot (docs/contract/small-kinds.md#network). */
const networkConfigSchema = z.strictObject({
  apiVersion: optional(z.literal(networkConfigVersion)),
  kind: optional(z.literal('NetworkConfig')),
  backend: optional(backend),
  ipam: section({ type: optional(z.enum(['', 'calico-ipam', 'host-local'])), cidr: optional(text) }),
  ipv4: section({
    pool: optional(pool),
    mode: optional(poolMode),
    autoDetectionMethod: optional(text),
  }),
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
  // Of former times: checked, and of no effect (docs/contract/small-kinds.md#network).
  ipip: optional(poolMode),
  ipAutodetectionMethod: optional(text),
  wireguardEncryption: flag,
  birdExporter: switched,
  multus: section({ enabled: flag, installCNIPlugins: optional(z.boolean()) }),
  serviceLoopPrevention: optional(z.enum(['Disabled', 'Drop', 'Reject'])),
})
export type NetworkConfig = z.output<typeof networkConfigSchema>

/** Reads a `providerConfig`; undefined and null: nothing is said. Throws an Error that names the fields that are wrong. */
export const decodeNetworkConfig = (value: unknown): NetworkConfig =>
  decodeStrictly(networkConfigSchema, value ?? {})

import * as z from 'zod'
import { head, list, optional, text } from './fields.ts'

/** A class of load balancers, in a CloudProfile and in a ControlPlaneConfig. */
export const loadBalancerClassSchema = z.strictObject({
  name: text,
  purpose: optional(z.string()),
  floatingNetworkID: optional(z.string()),
  floatingSubnetID: optional(z.string()),
  floatingSubnetName: optional(z.string()),
  floatingSubnetTags: optional(z.string()),
  subnetID: optional(z.string()),
})
export type LoadBalancerClass = Readonly<z.output<typeof loadBalancerClassSchema>>

const regionId = z.strictObject({ name: text, id: text, architecture: optional(z.string()) })

const imageVersion = z.strictObject({
  version: text,
  image: optional(z.string()),
  regions: list(regionId),
  capabilityFlavors: list(
    z.strictObject({
      capabilities: optional(z.record(z.string(), z.array(z.string()))),
      regions: list(regionId),
      image: optional(z.string()),
    }),
  ),
})

const storageClass = z.strictObject({
  name: text,
  default: optional(z.boolean()),
  provisioner: optional(z.string()),
  parameters: optional(z.record(z.string(), z.string())),
  annotations: optional(z.record(z.string(), z.string())),
  labels: optional(z.record(z.string(), z.string())),
  reclaimPolicy: optional(z.string()),
  volumeBindingMode: optional(z.string()),
})

/**
 * The provider's `CloudProfileConfig`, which operators write into `spec.providerConfig` of a CloudProfile
 * (docs/contract/provider-openstack.md#cloudprofileconfig).
 */
export const cloudProfileConfigSchema = z.strictObject({
  ...head('CloudProfileConfig'),
  constraints: z
    .strictObject({
      floatingPools: list(
        z.strictObject({
          name: text,
          region: optional(z.string()),
          domain: optional(z.string()),
          defaultFloatingSubnet: optional(z.string()),
          nonConstraining: optional(z.boolean()),
          loadBalancerClasses: list(loadBalancerClassSchema),
        }),
      ),
      loadBalancerProviders: list(z.strictObject({ name: text, region: optional(z.string()) })),
    })
    .nullish()
    .transform(value => value ?? { floatingPools: [], loadBalancerProviders: [] }),
  dnsServers: list(z.string()),
  dhcpDomain: optional(z.string()),
  keystoneURL: optional(z.string()),
  keystoneURLs: list(z.strictObject({ region: text, url: text, caCert: optional(z.string()) })),
  keystoneCACert: optional(z.string()),
  keystoneForceInsecure: optional(z.boolean()),
  machineImages: list(z.strictObject({ name: text, versions: list(imageVersion) })),
  requestTimeout: optional(z.string()),
  rescanBlockStorageOnResize: optional(z.boolean()),
  ignoreVolumeAZ: optional(z.boolean()),
  nodeVolumeAttachLimit: optional(z.int()),
  useOctavia: optional(z.boolean()),
  useSNAT: optional(z.boolean()),
  serverGroupPolicies: list(z.string()),
  resolvConfOptions: list(z.string()),
  storageClasses: list(storageClass),
})
export type CloudProfileConfig = Readonly<z.output<typeof cloudProfileConfigSchema>>

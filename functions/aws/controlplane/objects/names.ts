/** Names that several components share, and label and annotation keys that other programs read. */

/** The Secret with the credentials of AWS, in the shoot's namespace of the seed. */
export const cloudproviderName = 'cloudprovider'

/** Returns the name of a role of the Go extension in the shoot. */
export const roleName = (component: string): string => `extensions.gardener.cloud:provider-aws:${component}`

export const checksumAnnotations = {
  cloudprovider: `checksum/secret-${cloudproviderName}`,
  cloudProviderConfig: 'checksum/configmap-cloud-provider-config',
} as const

/** Gardener sets the number of replicas by this label if the control plane is highly available. */
export const availabilityLabels = { 'high-availability-config.resources.gardener.cloud/type': 'controller' }

/** Labels by which NetworkPolicies of the seed allow egress of a pod. */
export const networkLabels = {
  toDns: { 'networking.gardener.cloud/to-dns': 'allowed' },
  toPublicNetworks: { 'networking.gardener.cloud/to-public-networks': 'allowed' },
  toPrivateNetworks: { 'networking.gardener.cloud/to-private-networks': 'allowed' },
  toRuntimeApiServer: { 'networking.gardener.cloud/to-runtime-apiserver': 'allowed' },
  toShootApiServer: { 'networking.resources.gardener.cloud/to-kube-apiserver-tcp-443': 'allowed' },
} as const

/** The pods are restarted in the shoot's maintenance window. */
export const maintenanceLabels = { 'maintenance.gardener.cloud/restart': 'true' }

export const controlPlaneLabels = { 'gardener.cloud/role': 'controlplane' }

/** A node accepts user pods only after such a pod runs on it. */
export const criticalLabels = { 'node.gardener.cloud/critical-component': 'true' }

/** Recreated if the API server refuses an update. */
export const deleteOnInvalidUpdate = { 'resources.gardener.cloud/delete-on-invalid-update': 'true' }

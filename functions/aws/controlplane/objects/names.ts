/** Names that more than one component has, and keys of labels and annotations that others read. */

/** The Secret with the credentials of AWS, in the shoot's namespace of the seed. */
export const cloudproviderName = 'cloudprovider'

/** What roles of the Go extension in the shoot are called. */
export const roleName = (component: string): string => `extensions.gardener.cloud:provider-aws:${component}`

export const checksumAnnotations = {
  cloudprovider: `checksum/secret-${cloudproviderName}`,
  cloudProviderConfig: 'checksum/configmap-cloud-provider-config',
} as const

/** How many replicas a controller has when Gardener makes the control plane highly available. */
export const availabilityLabels = { 'high-availability-config.resources.gardener.cloud/type': 'controller' }

/** What NetworkPolicies of the seed let a pod reach. */
export const networkLabels = {
  toDns: { 'networking.gardener.cloud/to-dns': 'allowed' },
  toPublicNetworks: { 'networking.gardener.cloud/to-public-networks': 'allowed' },
  toPrivateNetworks: { 'networking.gardener.cloud/to-private-networks': 'allowed' },
  toRuntimeApiServer: { 'networking.gardener.cloud/to-runtime-apiserver': 'allowed' },
  toShootApiServer: { 'networking.resources.gardener.cloud/to-kube-apiserver-tcp-443': 'allowed' },
} as const

/** The pods are started anew in the shoot's maintenance time. */
export const maintenanceLabels = { 'maintenance.gardener.cloud/restart': 'true' }

export const controlPlaneLabels = { 'gardener.cloud/role': 'controlplane' }

/** A node takes no pods of users before such a pod runs on it. */
export const criticalLabels = { 'node.gardener.cloud/critical-component': 'true' }

/** Deleted and made anew where the API server refuses an update of it. */
export const deleteOnInvalidUpdate = { 'resources.gardener.cloud/delete-on-invalid-update': 'true' }

/**
 * Labels and annotations that Gardener's controllers and webhooks read (gardener/gardener,
 * `pkg/apis/core/v1beta1/constants/types_constants.go` and `pkg/apis/resources/v1alpha1/types.go`).
 */

/** On a Deployment or StatefulSet in the seed: Gardener sets its replicas and spread for the shoot's failure tolerance. */
export const availabilityLabels = {
  /** A controller with leader election. */
  controller: { 'high-availability-config.resources.gardener.cloud/type': 'controller' },
  /** A server of requests, such as a webhook. */
  server: { 'high-availability-config.resources.gardener.cloud/type': 'server' },
} as const

/** On pods: NetworkPolicies of the seed, or of a shoot's `kube-system`, allow this traffic. */
export const networkLabels = {
  toDns: { 'networking.gardener.cloud/to-dns': 'allowed' },
  toPublicNetworks: { 'networking.gardener.cloud/to-public-networks': 'allowed' },
  toPrivateNetworks: { 'networking.gardener.cloud/to-private-networks': 'allowed' },
  toBlockedCidrs: { 'networking.gardener.cloud/to-blocked-cidrs': 'allowed' },
  /** From the seed to the API server of the seed. */
  toRuntimeApiServer: { 'networking.gardener.cloud/to-runtime-apiserver': 'allowed' },
  /** From the namespace of a shoot in the seed to the shoot's API server. */
  toShootApiServer: { 'networking.resources.gardener.cloud/to-kube-apiserver-tcp-443': 'allowed' },
  /** Within the shoot, to its API server. */
  toApiServer: { 'networking.gardener.cloud/to-apiserver': 'allowed' },
  /** Within the shoot, to its kubelets. */
  toKubelet: { 'networking.gardener.cloud/to-kubelet': 'allowed' },
  /** Within the shoot, from the seed. */
  fromSeed: { 'networking.gardener.cloud/from-seed': 'allowed' },
} as const

/**
 * Returns the label by which pods may call the pods of a Service in the same namespace.
 *
 * @param port the container's port, a number or a name
 *
 * @example
 * const labels = { app: 'scraper', ...networkLabels.toDns, ...toServiceLabel('etcd-main-client', 2379) }
 */
export const toServiceLabel = (service: string, port: number | string): Readonly<Record<string, string>> => ({
  [`networking.resources.gardener.cloud/to-${service}-tcp-${port}`]: 'allowed',
})

/** Groups of callers that Gardener labels. */
export type ServiceCallers =
  | 'all-scrape-targets'
  | 'all-garden-scrape-targets'
  | 'all-seed-scrape-targets'
  | 'all-webhook-targets'

/**
 * Returns the annotation of a Service by which a group of callers may reach its pods: Prometheus, or the API servers
 * that call webhooks.
 *
 * @param ports the containers' ports
 *
 * @example
 * const annotations = { ...fromCallers('all-scrape-targets', [8080]), ...fromCallers('all-webhook-targets', [10250]) }
 */
export const fromCallers = (
  callers: ServiceCallers,
  ports: readonly number[],
): Readonly<Record<string, string>> => ({
  [`networking.resources.gardener.cloud/from-${callers}-allowed-ports`]: JSON.stringify(
    ports.map(port => ({ protocol: 'TCP', port })),
  ),
})

/** On pods in the seed: restarted in the shoot's maintenance window. */
export const maintenanceLabels = { 'maintenance.gardener.cloud/restart': 'true' } as const

/** On pods in the namespace of a shoot in the seed. */
export const controlPlaneLabels = { 'gardener.cloud/role': 'controlplane' } as const

/** On objects in the shoot. */
export const systemComponentLabels = { 'gardener.cloud/role': 'system-component' } as const

/** On a DaemonSet and its pods: a node accepts user pods only after such a pod runs on it. */
export const criticalLabels = { 'node.gardener.cloud/critical-component': 'true' } as const

/**
 * Returns the annotation of a DaemonSet's pods by which a node accepts user pods only after it has this CSI driver.
 *
 * @param name a unique name for the annotation's key
 * @param driver the name of the CSIDriver
 *
 * @example
 * const annotations = waitForCsiNode('acme', 'disks.csi.acme.example.com')
 */
export const waitForCsiNode = (name: string, driver: string): Readonly<Record<string, string>> => ({
  [`node.gardener.cloud/wait-for-csi-node-${name}`]: driver,
})

/** Excludes objects in the shoot from Gardener's clean-up when the shoot is deleted. For `injectLabels`. */
export const noCleanUpLabels = { 'shoot.gardener.cloud/no-cleanup': 'true' } as const

/** On an object of a ManagedResource: recreated if the API server refuses an update. */
export const deleteOnInvalidUpdate = { 'resources.gardener.cloud/delete-on-invalid-update': 'true' } as const

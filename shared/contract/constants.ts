/** API group and version of the extension kinds. */
export const group = 'extensions.gardener.cloud'
export const version = 'v1alpha1'
export const apiVersion = `${group}/${version}` as const

/**
 * API group and version of the machine-controller-manager's objects, which a Worker creates (docs/contract/workers.md).
 */
export const machineGroup = 'machine.sapcloud.io'
export const machineApiVersion = `${machineGroup}/${version}` as const

/** API group and version of ManagedResources (docs/contract/managed-resources.md). */
export const resourceGroup = 'resources.gardener.cloud'
export const resourceApiVersion = `${resourceGroup}/${version}` as const

/** Annotation keys (docs/contract/lifecycle.md#annotations), and those of Trellis. */
export const annotations = {
  /** gardenlet's request: one of `requestedOperations`, compared for string equality. */
  operation: 'gardener.cloud/operation',
  /** Time of gardenlet's request: RFC 3339 with nanoseconds, UTC. */
  timestamp: 'gardener.cloud/timestamp',
  /** `true`: the seed's admission webhook allows a DELETE. */
  deletionConfirmation: 'confirmation.gardener.cloud/deletion',
  /** On the Shoot (Go `ParseBool`), for bastions on the Bastion itself (literally `true`). */
  forceDeletionConfirmation: 'confirmation.gardener.cloud/force-deletion',
  /** On a DNSRecord: `ipv4` (default), `ipv6` or `dual-stack`. */
  ipStack: 'dns.gardener.cloud/ip-stack',
  /** On a BackupBucket: the namespace of the generated secret. Default: `garden`. */
  generatedSecretNamespace: 'backupbucket.extensions.gardener.cloud/generated-secret-namespace',
  /** On a Cluster: name of the current generic kubeconfig secret in the shoot's namespace. */
  genericTokenKubeconfigSecretName: 'generic-token-kubeconfig.secret.gardener.cloud/name',
  /** JSON of the running or due step (`step-annotation.ts`). */
  step: 'trellis.gardener.cloud/step',
  /** On an object, or on the Cluster of a shoot: no step starts until then (`pause.ts`). */
  pause: 'trellis.gardener.cloud/pause',
  /** W3C `traceparent` of the request for the work. The events continue its trace. */
  traceparent: 'trellis.gardener.cloud/traceparent',
  /** On a workload of Trellis: the version of the library that generated its manifest. */
  version: 'trellis.gardener.cloud/version',
} as const

/** Prefix of the annotations and finalizers of secondary functions (docs/secondary.md). No primary reads them. */
export const secondaryPrefix = 'secondary.trellis.gardener.cloud/'

/**
 * Prefixes of gardenlet's copies of a Shoot's `spec.resources` (gardener/gardener,
 * `pkg/apis/core/v1beta1/constants/types_constants.go`).
 */
export const referencePrefixes = { object: 'ref-', workloadIdentity: 'workload-identity-ref-' } as const

/** Values of `gardener.cloud/operation` that a backend knows. Any other value is "no operation". */
export const requestedOperations = ['reconcile', 'restore', 'migrate', 'wait-for-state'] as const
export type RequestedOperation = (typeof requestedOperations)[number]

/**
 * Values of `lastOperation.type` that backends write (docs/contract/lifecycle.md#values-of-the-status). A forced delete
 * is a `Delete`.
 */
export const operationTypes = ['Create', 'Reconcile', 'Delete', 'Migrate', 'Restore'] as const
export type OperationType = (typeof operationTypes)[number]

export const labels = {
  /** `shoot` on namespaces of shoots; these have a Cluster. */
  role: 'gardener.cloud/role',
  /** `true` on CRDs that need a confirmation before deletion. */
  deletionProtected: 'gardener.cloud/deletion-protected',
} as const

/** `spec.class`. Default, also for an empty text: `shoot` (docs/contract/lifecycle.md#class-and-type). */
export const extensionClasses = ['shoot', 'seed', 'garden'] as const
/** A value of `spec.class`: the owner of an extension object. */
export type ExtensionClass = (typeof extensionClasses)[number]

/** Prefix of every backend's finalizer (docs/contract/lifecycle.md#finalizers). */
const finalizerPrefix = `${group}/` as const

/** Returns the finalizer of a backend. The suffix is usually the lower case kind. */
export const finalizerOf = (suffix: string): string => `${finalizerPrefix}${suffix}`

/** Default of `spec.ttl` of a DNS record, in seconds. */
export const defaultRecordTtlSeconds = 120

/**
 * Gardener's error codes (docs/contract/lifecycle.md#error-codes). For a non-retryable code, gardenlet sets the shoot
 * to `Failed` at once; the function retries with backoff for every code.
 */
export const errorCodes = [
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_INFRA_QUOTA_EXCEEDED',
  'ERR_INFRA_RATE_LIMITS_EXCEEDED',
  'ERR_INFRA_DEPENDENCIES',
  'ERR_RETRYABLE_INFRA_DEPENDENCIES',
  'ERR_INFRA_RESOURCES_DEPLETED',
  'ERR_CLEANUP_CLUSTER_RESOURCES',
  'ERR_CONFIGURATION_PROBLEM',
  'ERR_RETRYABLE_CONFIGURATION_PROBLEM',
  'ERR_PROBLEMATIC_WEBHOOK',
] as const
/** A code of an error that Gardener knows: `ERR_CONFIGURATION_PROBLEM`. */
export type ErrorCode = (typeof errorCodes)[number]

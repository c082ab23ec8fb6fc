/** Where the extension kinds live in the API. */
export const group = 'extensions.gardener.cloud'
export const version = 'v1alpha1'
export const apiVersion = `${group}/${version}` as const

/** Where the objects of the machine-controller-manager live: what a Worker becomes (docs/contract/workers.md). */
export const machineGroup = 'machine.sapcloud.io'
export const machineApiVersion = `${machineGroup}/${version}` as const

/** Where ManagedResources live (docs/contract/managed-resources.md). */
export const resourceGroup = 'resources.gardener.cloud'
export const resourceApiVersion = `${resourceGroup}/${version}` as const

/** Annotation keys (docs/contract/lifecycle.md#annotations), and the one that is Trellis's own. */
export const annotations = {
  /** What gardenlet asks for: one of `requestedOperations`; compared with plain string equality. */
  operation: 'gardener.cloud/operation',
  /** RFC 3339 with nanoseconds, UTC: when gardenlet asked. */
  timestamp: 'gardener.cloud/timestamp',
  /** `true`: the admission webhook of the seed lets a DELETE through. */
  deletionConfirmation: 'confirmation.gardener.cloud/deletion',
  /** On the Shoot (Go `ParseBool`), for bastions on the Bastion itself (literally `true`). */
  forceDeletionConfirmation: 'confirmation.gardener.cloud/force-deletion',
  /** On a DNSRecord: `ipv4` (default), `ipv6` or `dual-stack`. */
  ipStack: 'dns.gardener.cloud/ip-stack',
  /** On a BackupBucket: the namespace of the generated secret, `garden` when absent. */
  generatedSecretNamespace: 'backupbucket.extensions.gardener.cloud/generated-secret-namespace',
  /** On a Cluster: name of the current generic kubeconfig secret in the shoot's namespace. */
  genericTokenKubeconfigSecretName: 'generic-token-kubeconfig.secret.gardener.cloud/name',
  /** JSON of the step that is running or due (`step-annotation.ts`). */
  step: 'trellis.gardener.cloud/step',
  /** W3C `traceparent` of whatever asked for the work; the events go on with its trace. */
  traceparent: 'trellis.gardener.cloud/traceparent',
} as const

/** Values of `gardener.cloud/operation` that a backend knows; every other value is "no operation". */
export const requestedOperations = ['reconcile', 'restore', 'migrate', 'wait-for-state'] as const
export type RequestedOperation = (typeof requestedOperations)[number]

/**
 * `lastOperation.type` as backends write it (docs/contract/lifecycle.md#values-of-the-status); a forced delete is a
 * `Delete`.
 */
export const operationTypes = ['Create', 'Reconcile', 'Delete', 'Migrate', 'Restore'] as const
export type OperationType = (typeof operationTypes)[number]

export const labels = {
  /** `shoot` on the namespaces that belong to a shoot and therefore have a Cluster. */
  role: 'gardener.cloud/role',
  /** `true` on CRDs whose deletion needs a confirmation. */
  deletionProtected: 'gardener.cloud/deletion-protected',
} as const

/** `spec.class`; absent or empty counts as `shoot` (docs/contract/lifecycle.md#class-and-type). */
export const extensionClasses = ['shoot', 'seed', 'garden'] as const
export type ExtensionClass = (typeof extensionClasses)[number]

/** What every backend's own finalizer starts with (docs/contract/lifecycle.md#finalizers). */
export const finalizerPrefix = `${group}/` as const

/** The finalizer of a backend; the suffix mostly is the lower-case kind. */
export const finalizerOf = (suffix: string): string => `${finalizerPrefix}${suffix}`

/** Seconds a DNS record lives when `spec.ttl` is absent. */
export const defaultRecordTtlSeconds = 120

/**
 * Gardener's error codes (docs/contract/lifecycle.md#error-codes). A code that is not retryable makes gardenlet set
 * the shoot to `Failed` at once; the function itself keeps trying with backoff whatever the code.
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
export type ErrorCode = (typeof errorCodes)[number]

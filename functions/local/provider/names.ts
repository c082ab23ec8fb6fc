import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'

/** The value of the provider label of objects (docs/contract/provider-local.md#names). */
export const providerName = 'provider-local'

/** The field manager that applies objects (docs/contract/provider-local.md#fields-that-are-applied). */
export const fieldManager = 'gardener-extension-provider-local'

/** A Kubernetes namespace is a DNS label, and `infra-` uses some of its length. */
const technicalId = /^[a-z0-9]([a-z0-9-]{0,55}[a-z0-9])?$/

/**
 * Returns the namespace of a shoot in the provider cluster, `infra-<technical id>`.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` if the Cluster has no technical id that is valid in a
 * namespace.
 */
export const infraNamespaceOf = (cluster: Cluster | undefined): string => `infra-${technicalIdOf(cluster)}`

/** Throws like `infraNamespaceOf`. */
export const technicalIdOf = (cluster: Cluster | undefined): string => {
  const id = cluster?.spec.shoot.status?.technicalID
  if (typeof id === 'string' && technicalId.test(id)) return id
  throw configurationProblem(
    'spec.shoot.status.technicalID of the Cluster: expected the name of a namespace with at most 57 characters',
  )
}

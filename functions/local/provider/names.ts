import { CodedError } from '../../../shared/contract/errors.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'

/** Labels of objects have it (docs/contract/provider-local.md#names). */
export const providerName = 'provider-local'

/** Who applies objects (docs/contract/provider-local.md#fields-that-are-applied). */
export const fieldManager = 'gardener-extension-provider-local'

/** A namespace of Kubernetes is a DNS label, of which `infra-` takes its part. */
const technicalId = /^[a-z0-9]([a-z0-9-]{0,55}[a-z0-9])?$/

/**
 * The namespace of a shoot in the provider cluster, `infra-<technical id>`.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` where the Cluster names no technical id that a namespace can have.
 */
export const infraNamespaceOf = (cluster: Cluster | undefined): string => `infra-${technicalIdOf(cluster)}`

/** Throws as `infraNamespaceOf` does. */
export const technicalIdOf = (cluster: Cluster | undefined): string => {
  const id = cluster?.spec.shoot.status?.technicalID
  if (typeof id === 'string' && technicalId.test(id)) return id
  throw new CodedError(
    'spec.shoot.status.technicalID of the Cluster: expected a name of at most 57 characters that a namespace can have',
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}

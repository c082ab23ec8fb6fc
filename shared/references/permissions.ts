import { managedResourceKind } from '../contract/resource-kinds.ts'
import { configMaps, secrets } from '../kubernetes/core-resources.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import type { ReferencedKind } from './read-reference.ts'

/**
 * Returns the permissions to read referenced resources of these kinds, for the definition of a function. One with
 * `resourcePermissions` needs only those for ConfigMaps. One with a `spec.secretRef` may read Secrets already, so it
 * leaves out Secret and WorkloadIdentity.
 *
 * @example
 * const permissions = [...resourcePermissions, ...referencePermissions('ConfigMap')]
 */
export const referencePermissions = (
  ...kinds: readonly ReferencedKind[]
): readonly (Permission & { readonly why: string })[] => [
  ...[...new Set(kinds.map(kind => (kind === 'ConfigMap' ? configMaps : secrets)))].map(
    resource => ({ resource, verbs: ['get'], why: "Copies of the Shoot's spec.resources." }) as const,
  ),
  {
    resource: managedResourceKind.resource,
    verbs: ['get'],
    why: "Shows if the copies of the Shoot's spec.resources are current.",
  },
]

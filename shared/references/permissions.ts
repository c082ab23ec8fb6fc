import { configMaps, secrets } from '../kubernetes/core-resources.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import type { ReferencedKind } from './read-reference.ts'

/**
 * Returns the permissions to read referenced resources of these kinds, for the definition of a function. A function
 * with `resourcePermissions`, or with a `spec.secretRef`, already has those for Secrets and WorkloadIdentities.
 *
 * @example
 * const permissions = [...resourcePermissions, ...referencePermissions('ConfigMap')]
 */
export const referencePermissions = (
  ...kinds: readonly ReferencedKind[]
): readonly (Permission & { readonly why: string })[] =>
  [...new Set(kinds.map(kind => (kind === 'ConfigMap' ? configMaps : secrets)))].map(resource => ({
    resource,
    verbs: ['get'],
    why: "Copies of the Shoot's spec.resources.",
  }))

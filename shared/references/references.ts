/**
 * Referenced resources: Secrets, ConfigMaps and WorkloadIdentities of the project that a Shoot lists in
 * `spec.resources`, and that a `providerConfig` refers to by name (docs/kinds/extension.md#referenced-resources).
 */

export { referencePermissions } from './permissions.ts'
export {
  type ReferencedKind,
  type ReferencedResource,
  type ReferenceOptions,
  type ReferringStep,
  readReference,
  type StatusResource,
  statusResources,
} from './read-reference.ts'

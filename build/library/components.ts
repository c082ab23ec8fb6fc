/** The exports for components in a seed or shoot: images, objects, and what Gardener expects; see docs/library.md. */
export { canonicalQuantity } from '../../shared/contract/quantity.ts'
export {
  findImage,
  type ImageSource,
  imageSettingsFor,
  openImages,
} from '../../shared/images/images.ts'
export { when } from '../../shared/lists/when.ts'
export {
  allow,
  availabilityLabels,
  clusterRole,
  clusterRoleBinding,
  controlPlaneLabels,
  criticalLabels,
  deleteOnInvalidUpdate,
  fromCallers,
  inInstallOrder,
  maintenanceLabels,
  networkLabels,
  noCleanUpLabels,
  podDisruptionBudget,
  priorityClasses,
  role,
  roleBinding,
  type ServiceCallers,
  serviceAccount,
  systemComponentLabels,
  systemNamespace,
  toServiceLabel,
  waitForCsiNode,
} from '../../shared/manifests/manifests.ts'

/** Objects that components of all providers share, the order of their creation, and labels that Gardener reads. */
export {
  availabilityLabels,
  controlPlaneLabels,
  criticalLabels,
  deleteOnInvalidUpdate,
  fromCallers,
  maintenanceLabels,
  networkLabels,
  noCleanUpLabels,
  type ServiceCallers,
  systemComponentLabels,
  toServiceLabel,
  waitForCsiNode,
} from './gardener-labels.ts'
export { inInstallOrder } from './install-order.ts'
export { podDisruptionBudget } from './pod-disruption-budget.ts'
export { priorityClasses } from './priority-classes.ts'
export { allow, clusterRole, clusterRoleBinding, role, roleBinding, serviceAccount } from './rbac.ts'
export { systemNamespace, type TextMap } from './system-namespace.ts'

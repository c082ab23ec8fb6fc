/** Objects that components of any provider have alike, and the order in which they are written. */
export { inInstallOrder } from './install-order.ts'
export { podDisruptionBudget } from './pod-disruption-budget.ts'
export { allow, clusterRole, clusterRoleBinding, role, roleBinding, serviceAccount } from './rbac.ts'
export { systemNamespace, type TextMap } from './system-namespace.ts'

/** Objects that components of all providers share, and the order of their creation. */
export { inInstallOrder } from './install-order.ts'
export { podDisruptionBudget } from './pod-disruption-budget.ts'
export { allow, clusterRole, clusterRoleBinding, role, roleBinding, serviceAccount } from './rbac.ts'
export { systemNamespace, type TextMap } from './system-namespace.ts'

/**
 * The PriorityClasses that exist in clusters of Gardener (gardener/gardener, `PriorityClassName…` in
 * `pkg/apis/core/v1beta1/constants/types_constants.go`).
 * `seed`: components for the whole seed; `controlPlane`: components of one shoot in its seed; `garden`: the runtime
 * cluster of a garden.
 *
 * @example
 * const spec = { priorityClassName: priorityClasses.controlPlane[300], containers: [] }
 */
export const priorityClasses = {
  garden: {
    critical: 'gardener-garden-system-critical',
    500: 'gardener-garden-system-500',
    400: 'gardener-garden-system-400',
    300: 'gardener-garden-system-300',
    200: 'gardener-garden-system-200',
    100: 'gardener-garden-system-100',
  },
  seed: {
    critical: 'gardener-system-critical',
    900: 'gardener-system-900',
    800: 'gardener-system-800',
    700: 'gardener-system-700',
    600: 'gardener-system-600',
  },
  controlPlane: {
    500: 'gardener-system-500',
    400: 'gardener-system-400',
    300: 'gardener-system-300',
    200: 'gardener-system-200',
    100: 'gardener-system-100',
  },
  shoot: {
    nodeCritical: 'system-node-critical',
    clusterCritical: 'system-cluster-critical',
    900: 'gardener-shoot-system-900',
    800: 'gardener-shoot-system-800',
    700: 'gardener-shoot-system-700',
    600: 'gardener-shoot-system-600',
  },
} as const

import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/**
 * A requested fault of ManagedResources. `stuck`: nothing is done. `slow`: each step is delayed. `failing`: no object
 * can be applied or deleted. `unhealthy`, `progressing`: the objects exist but never reach their desired state.
 */
export type ResourceFault = 'stuck' | 'slow' | 'failing' | 'unhealthy' | 'progressing'

/**
 * The annotation of a ManagedResource, or of its namespace for all present and future ones: `kubectl annotate namespace
 * <name> sandbox.trellis.gardener.cloud/resources=stuck`.
 */
export const resourceFaultAnnotation = 'sandbox.trellis.gardener.cloud/resources'

const faults: readonly ResourceFault[] = ['stuck', 'slow', 'failing', 'unhealthy', 'progressing']

export const resourceFaultOf = (
  ...ordering: readonly (KubernetesObject | undefined)[]
): ResourceFault | undefined => {
  const ordered = ordering.map(object => object?.metadata.annotations?.[resourceFaultAnnotation])
  return faults.find(fault => fault === ordered.find(order => order !== undefined))
}

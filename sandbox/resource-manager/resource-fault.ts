import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/**
 * What goes wrong with ManagedResources, on order. `stuck`: nothing is done; `slow`: each step comes late; `failing`: no object
 * can be applied or deleted; `unhealthy`, `progressing`: the objects are there, and never as they should be.
 */
export type ResourceFault = 'stuck' | 'slow' | 'failing' | 'unhealthy' | 'progressing'

/**
 * The order stands in an annotation of the ManagedResource, or of its namespace for all that are there or come:
 * `kubectl annotate namespace <name> sandbox.trellis.gardener.cloud/resources=stuck`.
 */
export const resourceFaultAnnotation = 'sandbox.trellis.gardener.cloud/resources'

const faults: readonly ResourceFault[] = ['stuck', 'slow', 'failing', 'unhealthy', 'progressing']

export const resourceFaultOf = (
  ...ordering: readonly (KubernetesObject | undefined)[]
): ResourceFault | undefined => {
  const ordered = ordering.map(object => object?.metadata.annotations?.[resourceFaultAnnotation])
  return faults.find(fault => fault === ordered.find(order => order !== undefined))
}

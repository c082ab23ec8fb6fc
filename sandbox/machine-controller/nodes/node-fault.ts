import type { Machine } from '../../../shared/contract/objects.ts'
import type { ControllerContext } from '../context.ts'

/** What goes wrong with the Node of a Machine, on order. */
export type NodeFault = 'never-joins' | 'not-ready' | 'stale'

/**
 * The order stands in an annotation of the Machine, or of its MachineDeployment for those to come:
 * `kubectl annotate machine <name> sandbox.trellis.gardener.cloud/node=not-ready`.
 */
export const nodeFaultAnnotation = 'sandbox.trellis.gardener.cloud/node'

const faults: readonly NodeFault[] = ['never-joins', 'not-ready', 'stale']

/** The fault that is ordered of the Node of a Machine. */
export const nodeFaultOf = (
  { deployments }: Pick<ControllerContext, 'deployments'>,
  { metadata }: Pick<Machine, 'metadata'>,
): NodeFault | undefined => {
  const { namespace = '', labels, annotations } = metadata
  const deployment = deployments.get({ namespace, name: labels?.name ?? '' })
  const ordered =
    annotations?.[nodeFaultAnnotation] ?? deployment?.metadata.annotations?.[nodeFaultAnnotation]
  return faults.find(fault => fault === ordered)
}

import type { Machine } from '../../../shared/contract/objects.ts'
import type { ControllerContext } from '../context.ts'

/**
 * What goes wrong with the Node of a Machine, on order. `stale`: one of its name is there already, of a machine that went
 * without it; it stands for one machine, and is taken back then.
 */
export type NodeFault = 'never-joins' | 'not-ready' | 'stale'

/**
 * The order stands in an annotation of the Machine, or of its MachineDeployment for those to come:
 * `kubectl annotate machine <name> sandbox.trellis.gardener.cloud/node=not-ready`.
 */
export const nodeFaultAnnotation = 'sandbox.trellis.gardener.cloud/node'

const faults: readonly NodeFault[] = ['never-joins', 'not-ready', 'stale']

const deploymentOf = (
  { deployments }: Pick<ControllerContext, 'deployments'>,
  { namespace = '', labels }: Machine['metadata'],
) => deployments.get({ namespace, name: labels?.name ?? '' })

/** The fault that is ordered of the Node of a Machine. */
export const nodeFaultOf = (
  context: Pick<ControllerContext, 'deployments'>,
  { metadata }: Pick<Machine, 'metadata'>,
): NodeFault | undefined => {
  const ordered =
    metadata.annotations?.[nodeFaultAnnotation] ??
    deploymentOf(context, metadata)?.metadata.annotations?.[nodeFaultAnnotation]
  return faults.find(fault => fault === ordered)
}

/** Takes the order of a deployment back: its machine is replaced at once, and the next one would be, too. */
export const takeBackNodeFault = async (
  context: Pick<ControllerContext, 'deployments'>,
  { metadata }: Pick<Machine, 'metadata'>,
): Promise<void> => {
  const deployment = deploymentOf(context, metadata)
  if (deployment?.metadata.annotations?.[nodeFaultAnnotation] !== 'stale') return
  await context.deployments.patch(deployment, { metadata: { annotations: { [nodeFaultAnnotation]: null } } })
}

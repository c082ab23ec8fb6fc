import type { Machine } from '../../../shared/contract/objects.ts'
import type { ControllerContext } from '../context.ts'

/**
 * A requested fault of the Node of a Machine. `stale`: a Node of this name from a deleted machine still exists; it
 * affects one machine and is then removed.
 */
export type NodeFault = 'never-joins' | 'not-ready' | 'stale'

/**
 * The annotation of a Machine, or of its MachineDeployment for future ones: `kubectl annotate machine <name>
 * sandbox.trellis.gardener.cloud/node=not-ready`.
 */
export const nodeFaultAnnotation = 'sandbox.trellis.gardener.cloud/node'

const faults: readonly NodeFault[] = ['never-joins', 'not-ready', 'stale']

const deploymentOf = (
  { deployments }: Pick<ControllerContext, 'deployments'>,
  { namespace = '', labels }: Machine['metadata'],
) => deployments.get({ namespace, name: labels?.name ?? '' })

export const nodeFaultOf = (
  context: Pick<ControllerContext, 'deployments'>,
  { metadata }: Pick<Machine, 'metadata'>,
): NodeFault | undefined => {
  const ordered =
    metadata.annotations?.[nodeFaultAnnotation] ??
    deploymentOf(context, metadata)?.metadata.annotations?.[nodeFaultAnnotation]
  return faults.find(fault => fault === ordered)
}

/** Removes the fault from a deployment. Otherwise it would affect the replacement of its machine too. */
export const takeBackNodeFault = async (
  context: Pick<ControllerContext, 'deployments'>,
  { metadata }: Pick<Machine, 'metadata'>,
): Promise<void> => {
  const deployment = deploymentOf(context, metadata)
  if (deployment?.metadata.annotations?.[nodeFaultAnnotation] !== 'stale') return
  await context.deployments.patch(deployment, { metadata: { annotations: { [nodeFaultAnnotation]: null } } })
}

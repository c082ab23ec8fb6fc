import type { MachineDeployment, MachineSet } from '../../contract/objects.ts'
import type { StepContext } from '../../lifecycle/lifecycle.ts'
import { deployments, pods } from '../core-resources.ts'
import { deleteObject, } from '../objects/keep-object.ts'
import { listAll } from '../objects/observe.ts'

const name = 'machine-controller-manager'

type Step = Pick<StepContext, 'kubernetes' | 'log'>

/** `spec.replicas` of the Deployment of the machine-controller-manager; none where there is no Deployment. */
export const controllerReplicas = async ({ kubernetes }: Step, namespace: string): Promise<number> => {
  const deployment = await kubernetes.get(deployments, { name, namespace })
  const { spec } = deployment ?? {}
  const replicas = typeof spec === 'object' && spec !== null && 'replicas' in spec ? spec.replicas : undefined
  // A Deployment that says nothing has one.
  return deployment === undefined ? 0 : typeof replicas === 'number' ? replicas : 1
}

/** Scales the machine-controller-manager, unless it is so already or there is none. */
export const scaleController = async (step: Step, namespace: string, replicas: number): Promise<void> => {
  const { kubernetes, log } = step
  const deployment = await kubernetes.get(deployments, { name, namespace })
  if (deployment === undefined) return
  if ((await controllerReplicasOf(deployment.spec)) === replicas) return
  await kubernetes.patch(
    deployments,
    { name, namespace },
    { metadata: { uid: deployment.metadata.uid }, spec: { replicas } },
    { subresource: 'scale' },
  )
  log.info('machine controller scaled', { namespace, replicas })
}

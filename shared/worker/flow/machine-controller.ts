import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { deployments } from '../core-resources.ts'
import type { WorkerStep } from './worker-step.ts'

const name = 'machine-controller-manager'

/** How many machine controllers there shall be in the namespace; undefined: there is no Deployment of them. */
export const readController = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  namespace: string,
): Promise<number | undefined> => {
  const deployment = await kubernetes.get(deployments, { name, namespace })
  return deployment && replicasOf(deployment)
}

/** Scales the machine controller, unless it is so already or there is none. */
export const scaleController = async (
  { kubernetes, log }: WorkerStep,
  namespace: string,
  replicas: number,
): Promise<void> => {
  const deployment = await kubernetes.get(deployments, { name, namespace })
  if (deployment === undefined || replicasOf(deployment) === replicas) return
  await kubernetes.patch(
    deployments,
    { name, namespace },
    { metadata: { uid: deployment.metadata.uid }, spec: { replicas } },
    { subresource: 'scale' },
  )
  log.info('machine controller scaled', { namespace, replicas })
}

/** A Deployment that does not say has one replica. */
const replicasOf = ({ spec }: KubernetesObject): number => {
  const replicas = typeof spec === 'object' && spec !== null && 'replicas' in spec ? spec.replicas : 1
  return typeof replicas === 'number' ? replicas : 1
}

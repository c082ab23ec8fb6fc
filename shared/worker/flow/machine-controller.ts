import { deployments } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { WorkerStep } from './worker-step.ts'

const name = 'machine-controller-manager'

/**
 * Returns the desired replicas of the machine controller in the namespace, or undefined if its Deployment does not
 * exist.
 */
export const readController = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  namespace: string,
): Promise<number | undefined> => {
  const deployment = await kubernetes.get(deployments, { name, namespace })
  return deployment && replicasOf(deployment)
}

/** Scales the machine controller, unless it has these replicas, does not exist, or `isWanted`, called last, is false. */
export const scaleController = async (
  { kubernetes, log }: WorkerStep,
  namespace: string,
  replicas: number,
  isWanted = async () => true,
): Promise<void> => {
  const deployment = await kubernetes.get(deployments, { name, namespace })
  if (deployment === undefined || replicasOf(deployment) === replicas || !(await isWanted())) return
  await kubernetes.patch(
    deployments,
    { name, namespace },
    { metadata: { uid: deployment.metadata.uid }, spec: { replicas } },
    { subresource: 'scale' },
  )
  log.info('machine controller scaled', { namespace, replicas })
}

/** A Deployment without `replicas` has one. */
const replicasOf = ({ spec }: KubernetesObject): number => {
  const replicas = typeof spec === 'object' && spec !== null && 'replicas' in spec ? spec.replicas : 1
  return typeof replicas === 'number' ? replicas : 1
}

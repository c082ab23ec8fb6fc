import { isHibernationEnabled, isShootDeleted } from '../../contract/cluster-facts.ts'
import type { Cluster } from '../../contract/objects.ts'
import { deployments } from '../core-resources.ts'
import { type ControlPlaneStep, namespaceOf } from './control-plane-step.ts'

/**
 * How a shoot sleeps, for its components: `going to sleep` is one whose API server still runs, and they with it
 * (docs/contract/control-planes.md#hibernation). One that is being deleted or moves to another seed does not sleep: its
 * components are needed to clean up.
 */
export type Sleep = 'awake' | 'going to sleep' | 'asleep'

export const sleepOf = async (step: ControlPlaneStep, cluster: Cluster): Promise<Sleep> => {
  if (!isHibernationEnabled(cluster) || isShootDeleted(cluster) || isMigrating(cluster)) return 'awake'
  const namespace = namespaceOf(step)
  const apiServer = await step.kubernetes.get(deployments, { namespace, name: 'kube-apiserver' })
  // As the API server of the seed: one that says nothing has one replica.
  const replicas = apiServer === undefined ? 0 : (Reflect.get(Object(apiServer.spec), 'replicas') ?? 1)
  return replicas === 0 ? 'asleep' : 'going to sleep'
}

const isMigrating = ({ spec: { shoot } }: Cluster): boolean => shoot.status?.lastOperation?.type === 'Migrate'

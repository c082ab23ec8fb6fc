import { isHibernationEnabled, isShootDeleted } from '../../contract/cluster-facts.ts'
import type { Cluster } from '../../contract/objects.ts'
import { deployments } from '../core-resources.ts'
import { type ControlPlaneStep, namespaceOf } from './control-plane-step.ts'

/**
 * The hibernation state of a shoot for its components. `going to sleep`: the API server still runs, and so do they
 * (docs/contract/control-planes.md#hibernation). A shoot in deletion or migration does not sleep: its components must
 * clean up.
 */
export type Sleep = 'awake' | 'going to sleep' | 'asleep'

export const sleepOf = async (step: ControlPlaneStep, cluster: Cluster): Promise<Sleep> => {
  if (!isHibernationEnabled(cluster) || isShootDeleted(cluster) || isMigrating(cluster)) return 'awake'
  const namespace = namespaceOf(step)
  const apiServer = await step.kubernetes.get(deployments, { namespace, name: 'kube-apiserver' })
  // Like the API server of the seed: absent replicas mean 1.
  const replicas = apiServer === undefined ? 0 : (Reflect.get(Object(apiServer.spec), 'replicas') ?? 1)
  return replicas === 0 ? 'asleep' : 'going to sleep'
}

const isMigrating = ({ spec: { shoot } }: Cluster): boolean => shoot.status?.lastOperation?.type === 'Migrate'

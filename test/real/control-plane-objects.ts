import { type Asked, infrastructureWith } from '../../functions/aws/controlplane/testing/control-plane.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { RealCluster } from './real-cluster.ts'

/** A config with all options on, and nodes with conditions that Calico left behind. */
export const everything: Asked = {
  providerConfig: {
    cloudControllerManager: { useCustomRouteController: true },
    loadBalancerController: { enabled: true, ingressClassName: 'alb' },
  },
  infrastructureConfig: { elasticFileSystem: { enabled: true } },
  infrastructure: { ...infrastructureWith('nodes', 'internal', 'public'), elasticFileSystem: { ID: 'fs-1' } },
  networking: { providerConfig: { overlay: { enabled: false } } },
}

/** Kinds of other projects, which a seed has but a bare API server lacks. */
export const kindsOfOthers = ['PrometheusRule', 'ServiceMonitor', 'VerticalPodAutoscaler']

/** Returns the API server's refusals of objects. Unknown kinds are listed separately. */
export const refusalsOf = async (cluster: RealCluster, objects: readonly KubernetesObject[]) => {
  const refusals: string[] = []
  const unknown = new Set<string>()
  for (const object of objects) {
    const served = await cluster.resourceOf(object).catch(() => undefined)
    if (served === undefined) unknown.add(object.kind)
    else {
      const refusal = await cluster.refusalOf(object)
      if (refusal !== undefined) refusals.push(refusal)
    }
  }
  return { refusals, unknown: [...unknown].sort() }
}

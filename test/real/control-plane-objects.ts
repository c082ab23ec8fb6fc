import { type Asked, infrastructureWith } from '../../functions/aws/controlplane/testing/control-plane.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { RealCluster } from './real-cluster.ts'

/** Everything that can be switched on, and nodes with conditions that Calico has left. */
export const everything: Asked = {
  providerConfig: {
    cloudControllerManager: { useCustomRouteController: true },
    loadBalancerController: { enabled: true, ingressClassName: 'alb' },
  },
  infrastructureConfig: { elasticFileSystem: { enabled: true } },
  infrastructure: { ...infrastructureWith('nodes', 'internal', 'public'), elasticFileSystem: { ID: 'fs-1' } },
  networking: { providerConfig: { overlay: { enabled: false } } },
}

/** Of other projects, which a seed has: no API server has them of itself. */
export const kindsOfOthers = ['PrometheusRule', 'ServiceMonitor', 'VerticalPodAutoscaler']

/** What the API server says against objects; those of kinds that it does not have are told apart. */
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

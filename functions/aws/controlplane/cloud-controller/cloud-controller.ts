import type { V1Service } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { clusterRoleBinding, podDisruptionBudget } from '../../../../shared/manifests/manifests.ts'
import { prometheusRule, serviceMonitor } from '../objects/monitoring.ts'
import { roleName } from '../objects/names.ts'
import type { Component } from '../objects/rendering.ts'
import { metricsService, portAnnotation } from '../objects/services.ts'
import { verticalPodAutoscaler } from '../objects/workload.ts'
import { cloudControllerDeployment } from './deployment.ts'
import { cloudControllerLabels, cloudControllerName, metricsPort } from './names.ts'

/** Adds the AWS metadata to nodes and creates load balancers. */
export const cloudController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, cloudControllerName, cloudControllerLabels),
    service(rendering.namespace),
    cloudControllerDeployment(rendering),
    prometheusRule(rendering.namespace, cloudControllerName, [alertWhenDown]),
    monitor(rendering.namespace),
    verticalPodAutoscaler(rendering.namespace, cloudControllerName, [`aws-${cloudControllerName}`]),
  ],
  shoot: () => [
    clusterRoleBinding({
      name: roleName(cloudControllerName),
      role: 'cluster-admin',
      account: cloudControllerName,
      // It cleans up load balancers until the end of a shoot.
      annotations: { 'resources.gardener.cloud/keep-object': 'true' },
    }),
  ],
}

const service = (namespace: string): Rendered<V1Service> =>
  metricsService(namespace, cloudControllerName, {
    selector: cloudControllerLabels,
    port: metricsPort,
    metadata: {
      labels: cloudControllerLabels,
      annotations: portAnnotation('from-all-scrape-targets-allowed-ports', metricsPort),
    },
  })

const monitor = (namespace: string) =>
  serviceMonitor(namespace, cloudControllerName, {
    labels: cloudControllerLabels,
    keep: '^(rest_client_requests_total|process_max_fds|process_open_fds)$',
    honorLabels: false,
    authorization: { credentials: { name: 'shoot-access-prometheus-shoot', key: 'token' } },
    scheme: 'https',
    tlsConfig: { insecureSkipVerify: true },
  })

const alertWhenDown = {
  alert: 'CloudControllerManagerDown',
  expr: `absent(up{job="${cloudControllerName}"} == 1)`,
  for: '15m',
  labels: { service: cloudControllerName, severity: 'critical', type: 'seed', visibility: 'all' },
  annotations: {
    // Spelled as in Gardener's alerts, because operators search for it.
    description:
      'All infrastruture specific operations cannot be completed (e.g. creating loadbalancers or persistent volumes).',
    summary: 'Cloud controller manager is down.',
  },
}

import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { podDisruptionBudget } from '../../manifests/manifests.ts'
import { prometheusRule, serviceMonitor } from './monitoring.ts'
import { metricsService, portAnnotation } from './services.ts'

export const cloudControllerName = 'cloud-controller-manager'
export const cloudControllerLabels = { app: 'kubernetes', role: cloudControllerName }

/** Port for metrics and probes, over TLS. */
export const cloudControllerPort = 10258

/**
 * Returns the seed objects around the Deployment of a cloud controller manager: Service, disruption budget and
 * monitoring.
 *
 * @param description the effect of its absence, for the alert
 */
export const aroundCloudController = (
  namespace: string,
  description: string,
): readonly KubernetesObject[] => [
  podDisruptionBudget(namespace, cloudControllerName, cloudControllerLabels),
  metricsService(namespace, cloudControllerName, {
    selector: cloudControllerLabels,
    port: cloudControllerPort,
    metadata: {
      labels: cloudControllerLabels,
      annotations: portAnnotation('from-all-scrape-targets-allowed-ports', cloudControllerPort),
    },
  }),
  prometheusRule(namespace, cloudControllerName, [
    {
      alert: 'CloudControllerManagerDown',
      expr: `absent(up{job="${cloudControllerName}"} == 1)`,
      for: '15m',
      labels: { service: cloudControllerName, severity: 'critical', type: 'seed', visibility: 'all' },
      annotations: { description, summary: 'Cloud controller manager is down.' },
    },
  ]),
  serviceMonitor(namespace, cloudControllerName, {
    labels: cloudControllerLabels,
    keep: '^(rest_client_requests_total|process_max_fds|process_open_fds)$',
    honorLabels: false,
    authorization: { credentials: { name: 'shoot-access-prometheus-shoot', key: 'token' } },
    scheme: 'https',
    tlsConfig: { insecureSkipVerify: true },
  }),
]

/** Returns the flag of a component's feature gates, or nothing without gates. */
export const featureGatesFlag = (gates: Readonly<Record<string, boolean>>): readonly string[] => {
  const sorted = Object.entries(gates).sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.length === 0 ? [] : [`--feature-gates=${sorted.map(gate => gate.join('=')).join(',')}`]
}

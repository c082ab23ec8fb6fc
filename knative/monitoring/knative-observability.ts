import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Explained, explained } from '../objects/explained.ts'

/**
 * The Knative settings that scraping requires. They belong to the operator of Knative: server-side apply adds these
 * keys and retains all others. Since 1.19 (OpenTelemetry) metrics are exposed only if `metrics-protocol` is set. Up to
 * 1.18 (OpenCensus) the keys begin with `metrics.` and have these values by default. Each release ignores the keys of
 * the other (knative/serving and knative/eventing, `config-observability`).
 */
export const knativeObservability = (): readonly Explained[] => [
  explained(
    configMap('knative-serving', {
      'metrics-protocol': 'prometheus',
      'request-metrics-protocol': 'prometheus',
      'metrics.backend-destination': 'prometheus',
      'metrics.request-metrics-backend-destination': 'prometheus',
    }),
    [
      'kubectl apply --server-side --field-manager trellis -f knative-observability.yaml: adds these keys to the ConfigMaps of Knative.',
      [['data', 'metrics-protocol'], 'Knative 1.19 and newer. Components read it at their start.'],
      [['data', 'metrics.backend-destination'], 'Knative 1.18 and older.'],
    ],
  ),
  explained(
    configMap('knative-eventing', {
      'metrics-protocol': 'prometheus',
      'metrics.backend-destination': 'prometheus',
    }),
  ),
]

const configMap = (namespace: string, data: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'config-observability', namespace },
  data,
})

import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { having, listOf, mapOf, oneOf, standIn, text } from './stand-in.ts'

const selector = having({
  matchLabels: mapOf(text),
  matchExpressions: listOf(
    having({ key: text, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: listOf(text) }, [
      'key',
      'operator',
    ]),
  ),
})
const endpoint = having({
  port: text,
  metricRelabelings: listOf(
    having({ action: oneOf('keep', 'drop', 'replace'), sourceLabels: listOf(text), regex: text }),
  ),
})
const targets = { namespaceSelector: having({ matchNames: listOf(text) }), selector }
const prometheus = { group: 'monitoring.coreos.com', version: 'v1', scope: 'Namespaced' } as const
const fluentBit = { group: 'fluentbit.fluent.io', version: 'v1alpha2', scope: 'Cluster' } as const

/**
 * The fields that manifests use of the objects of prometheus-operator (the API reference of
 * prometheus-operator/prometheus-operator) and of fluent-operator (its published pages on Fluent Bit,
 * fluent/fluent-operator).
 */
export const monitoringDefinitions: readonly KubernetesObject[] = [
  standIn({
    ...prometheus,
    kind: 'ServiceMonitor',
    spec: having({ ...targets, endpoints: listOf(endpoint) }, ['endpoints', 'selector']),
  }),
  standIn({
    ...prometheus,
    kind: 'PodMonitor',
    spec: having({ ...targets, podMetricsEndpoints: listOf(endpoint) }, ['selector']),
  }),
  standIn({
    ...prometheus,
    kind: 'PrometheusRule',
    spec: having({
      groups: listOf(
        having(
          {
            name: text,
            rules: listOf(
              having(
                {
                  record: text,
                  alert: text,
                  expr: text,
                  for: text,
                  labels: mapOf(text),
                  annotations: mapOf(text),
                },
                ['expr'],
              ),
            ),
          },
          ['name'],
        ),
      ),
    }),
  }),
  standIn({
    ...fluentBit,
    kind: 'ClusterParser',
    spec: having({
      json: having({ timeKey: text, timeFormat: text }),
      regex: having({ regex: text, timeKey: text, timeFormat: text }),
    }),
  }),
  standIn({
    ...fluentBit,
    kind: 'ClusterFilter',
    spec: having({
      match: text,
      matchRegex: text,
      filters: listOf(
        having({
          parser: having({ keyName: text, parser: text, reserveData: { type: 'boolean' } }),
          modify: having({ rules: listOf(having({ rename: mapOf(text) })) }),
        }),
      ),
    }),
  }),
]

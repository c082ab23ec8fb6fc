import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** The used fields of Prometheus operator objects (`monitoring.coreos.com/v1`). */

interface Relabeling {
  readonly action: 'labelmap' | 'keep'
  readonly regex: string
  readonly sourceLabels?: readonly string[]
}

interface ScrapeEndpoint {
  readonly port: string
  readonly relabelings: readonly Relabeling[]
  readonly metricRelabelings: readonly Relabeling[]
  readonly honorLabels?: boolean
  readonly authorization?: { readonly credentials: { readonly name: string; readonly key: string } }
  readonly scheme?: 'https'
  readonly tlsConfig?: { readonly insecureSkipVerify: boolean }
}

interface ServiceMonitor extends KubernetesObject {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly endpoints: readonly ScrapeEndpoint[]
  }
}

interface PrometheusRule extends KubernetesObject {
  readonly spec: {
    readonly groups: readonly {
      readonly name: string
      readonly rules: readonly {
        readonly alert: string
        readonly expr: string
        readonly for: string
        readonly labels: Readonly<Record<string, string>>
        readonly annotations: Readonly<Record<string, string>>
      }[]
    }[]
  }
}

const apiVersion = 'monitoring.coreos.com/v1'

/** Metadata of objects for the shoot's Prometheus, in the shoot's namespace of the seed. */
const metadata = (namespace: string, component: string) => ({
  name: `shoot-${component}`,
  namespace,
  labels: { prometheus: 'shoot' },
})

/** Scrapes the port `metrics` of a Service. Stores the metrics that match the expression. */
export const serviceMonitor = (
  namespace: string,
  component: string,
  {
    labels,
    keep,
    ...endpoint
  }: { readonly labels: Readonly<Record<string, string>>; readonly keep: string } & Partial<ScrapeEndpoint>,
): ServiceMonitor => ({
  apiVersion,
  kind: 'ServiceMonitor',
  metadata: metadata(namespace, component),
  spec: {
    selector: { matchLabels: labels },
    endpoints: [
      {
        port: 'metrics',
        relabelings: [{ action: 'labelmap', regex: '__meta_kubernetes_service_label_(.+)' }],
        metricRelabelings: [{ sourceLabels: ['__name__'], action: 'keep', regex: keep }],
        ...endpoint,
      },
    ],
  },
})

export const prometheusRule = (
  namespace: string,
  component: string,
  rules: PrometheusRule['spec']['groups'][number]['rules'],
): PrometheusRule => ({
  apiVersion,
  kind: 'PrometheusRule',
  metadata: metadata(namespace, component),
  spec: { groups: [{ name: `${component}.rules`, rules }] },
})

import type { KubernetesObject } from '../../../../build/library/trellis.ts'

const prometheus = { name: 'shoot-access-prometheus-shoot', key: 'token' }
/** Nodes have their own certificates, and the CA of the shoot is not available here. */
const tlsConfig = { insecureSkipVerify: true }
const authorization = { credentials: prometheus }

/** The scraped components, with the port of the Service and the stored metrics. */
const scraped = {
  felix: { port: 'metrics', keep: 'felix_.+' },
  typha: { port: 'metrics', keep: 'typha_.+' },
  bird: {
    port: 'bird-metrics',
    keep: 'bird_protocol_up.*|bird_protocol_prefix_export_count|bird_protocol_prefix_import_count',
  },
} as const
export type ScrapedComponent = keyof typeof scraped

export const scrapedComponents = Object.keys(scraped) as readonly ScrapedComponent[]

export const scrapeConfigName = (component: ScrapedComponent): string => `shoot-calico-${component}`

const replaced = (sourceLabel: string, targetLabel: string) => ({
  sourceLabels: [sourceLabel],
  separator: ';',
  regex: '(.*)',
  targetLabel,
  replacement: '$1',
  action: 'replace',
})

/** Configures the shoot's Prometheus in the seed to scrape a component through the shoot's API server. */
export const scrapeConfig = (namespace: string, component: ScrapedComponent): KubernetesObject => {
  const { port, keep } = scraped[component]
  return {
    apiVersion: 'monitoring.coreos.com/v1alpha1',
    kind: 'ScrapeConfig',
    metadata: { name: scrapeConfigName(component), namespace, labels: { prometheus: 'shoot' } },
    spec: {
      authorization,
      scheme: 'HTTPS',
      tlsConfig,
      kubernetesSDConfigs: [
        {
          apiServer: 'https://kube-apiserver',
          authorization,
          followRedirects: true,
          namespaces: { names: ['kube-system'] },
          role: 'Endpoints',
          tlsConfig,
        },
      ],
      metricRelabelings: [{ sourceLabels: ['__name__'], action: 'keep', regex: keep }],
      relabelings: [
        { action: 'replace', replacement: `${component}-metrics`, targetLabel: 'job' },
        {
          sourceLabels: ['__meta_kubernetes_service_name', '__meta_kubernetes_pod_container_port_name'],
          separator: ';',
          regex: `calico-${component}-monitoring;${port}`,
          replacement: '$1',
          action: 'keep',
        },
        replaced('__meta_kubernetes_endpoint_node_name', 'node'),
        replaced('__meta_kubernetes_pod_name', 'pod'),
        // With the API server's default.
        { targetLabel: '__address__', replacement: 'kube-apiserver:443', action: 'replace' },
        {
          sourceLabels: ['__meta_kubernetes_pod_name', '__meta_kubernetes_pod_container_port_number'],
          separator: ';',
          regex: '(.+);(.+)',
          targetLabel: '__metrics_path__',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Prometheus fills it in.
          replacement: '/api/v1/namespaces/kube-system/pods/${1}:${2}/proxy/metrics',
          action: 'replace',
        },
      ],
    },
  }
}

import type { V1Service } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import type { DeployedMonitoring, Deployment } from '../../deployment.ts'
import { type Explained, explained } from '../../objects/explained.ts'
import { metricsPort, scrapedAnnotations } from '../../objects/scraped-service.ts'
import { hasWebhooks } from '../has-webhooks.ts'
import { measuredProcesses, processSeries, seriesNames } from '../measured.ts'

/** Returns the objects by which Prometheus finds the processes of an installation, with the series to store. */
export const monitorObjects = (
  deployment: Deployment,
  monitoring: DeployedMonitoring,
): readonly Explained[] => {
  const withWebhooks = hasWebhooks(deployment)
  return [
    explained(
      monitorOf(deployment, monitoring, 'bridge'),
      'The bridge, which also exposes the reported metrics of functions.',
    ),
    ...(withWebhooks
      ? [explained(webhookService(deployment)), explained(monitorOf(deployment, monitoring, 'webhook'))]
      : []),
    ...when(
      deployment.mode !== 'seed-process',
      explained(
        queueProxyMonitor(deployment, monitoring),
        'Requests counted by queue-proxy, while a pod lives. Requires knative-observability.yaml.',
      ),
    ),
  ]
}

type Process = ReturnType<typeof measuredProcesses>[number]['process']

/** Returns the stored series of each scraped container, sorted. */
export const scrapedSeries = () => ({
  bridge: seriesOf('bridge', 'functions'),
  webhook: seriesOf('webhook'),
  'queue-proxy': queueProxySeries.toSorted(),
})

const seriesOf = (...processes: readonly Process[]): readonly string[] =>
  [
    ...measuredProcesses()
      .filter(({ process }) => processes.includes(process))
      .flatMap(({ definitions }) => definitions.flatMap(seriesNames)),
    ...processSeries,
  ].toSorted()

const keepAction = (names: readonly string[]) => [
  { action: 'keep', sourceLabels: ['__name__'], regex: `^(${names.join('|')})$` },
]

const monitorOf = (
  { name, namespace }: Deployment,
  { prometheus, namespace: home }: DeployedMonitoring,
  app: 'bridge' | 'webhook',
) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: `${prometheus}-${name}-${app}`, namespace: home, labels: { prometheus } },
  spec: {
    namespaceSelector: { matchNames: [namespace] },
    // A Service of reviews has no port with this name.
    selector: { matchLabels: { app } },
    endpoints: [{ port: 'metrics', metricRelabelings: keepAction(scrapedSeries()[app]) }],
  },
})

const webhookService = ({ namespace }: Deployment): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'webhook-metrics',
    namespace,
    labels: { app: 'webhook' },
    annotations: scrapedAnnotations,
  },
  spec: {
    selector: { app: 'webhook' },
    ports: [{ name: 'metrics', port: metricsPort, targetPort: 'metrics', protocol: 'TCP' }],
  },
})

/**
 * Series of queue-proxy: of OpenCensus up to Knative Serving 1.18, of OpenTelemetry from 1.19 on. Their names have
 * changed since (release notes of knative/serving, 1.19 and 1.21).
 */
const queueProxySeries = [
  'revision_app_request_count',
  'revision_queue_depth',
  'kn_queueproxy_app_duration_seconds_count',
  'kn_queueproxy_depth',
  'kn_serving_invocation_duration_seconds_count',
  'kn_serving_queue_depth',
] as const

const queueProxyMonitor = (
  { name, namespace }: Deployment,
  { prometheus, namespace: home }: DeployedMonitoring,
) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name: `${prometheus}-${name}-queue-proxy`, namespace: home, labels: { prometheus } },
  spec: {
    namespaceSelector: { matchNames: [namespace] },
    selector: { matchExpressions: [{ key: 'serving.knative.dev/service', operator: 'Exists' }] },
    podMetricsEndpoints: [
      { port: 'http-usermetric', metricRelabelings: keepAction(scrapedSeries()['queue-proxy']) },
    ],
  },
})

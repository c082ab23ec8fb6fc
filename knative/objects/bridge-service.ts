import type { V1Service } from '@kubernetes/client-node'
import { undeliveredPath } from '../../bridge/bridge.ts'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { reportPath } from '../../shared/runtime/runtime.ts'
import type { Deployment } from '../deployment.ts'
import { metricsPort, scrapedAnnotations } from './scraped-service.ts'

const name = 'bridge'

/** The Service to which functions report their metrics, and from which Prometheus scrapes all of them. */
export const bridgeService = ({ namespace }: Pick<Deployment, 'namespace'>): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, labels: { app: name }, annotations: scrapedAnnotations },
  spec: {
    selector: { app: name },
    // One function that cannot be reached makes the bridge unready; reports of all others must arrive.
    publishNotReadyAddresses: true,
    ports: [{ name: 'metrics', port: metricsPort, targetPort: metricsPort, protocol: 'TCP' }],
  },
})

/** `TRELLIS_REPORT_TO` of functions. */
export const reportUrl = ({ namespace }: Pick<Deployment, 'namespace'>): string =>
  `http://${name}.${namespace}:${metricsPort}${reportPath}`

/** The dead letter sink of the Broker, and `TRELLIS_UNDELIVERED_TO` of the bridge. */
export const undeliveredUrl = ({ namespace }: Pick<Deployment, 'namespace'>): string =>
  `http://${name}.${namespace}.svc:${metricsPort}${undeliveredPath}`

/**
 * The label by which Gardener allows a pod of the namespace to reach the bridge
 * (docs/contract/observing.md#prometheus).
 */
export const reportLabel = {
  [`networking.resources.gardener.cloud/to-${name}-tcp-${metricsPort}`]: 'allowed',
} as const

import type { V1Service } from '@kubernetes/client-node'
import type { Rendered } from '../../kubernetes/kubernetes.ts'
import type { TextMap } from '../../manifests/manifests.ts'

interface MetricsService {
  /** Labels of the pods. */
  readonly selector: TextMap
  readonly port: number
  readonly metadata?: { readonly labels: TextMap; readonly annotations: TextMap }
}

/** A headless Service: selects the pods for scraping. */
export const metricsService = (
  namespace: string,
  name: string,
  { selector, port, metadata }: MetricsService,
): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, ...metadata },
  spec: {
    type: 'ClusterIP',
    clusterIP: 'None',
    ports: [{ name: 'metrics', port, protocol: 'TCP' }],
    selector,
  },
})

/**
 * Annotation for the ports that NetworkPolicies of the seed open: to scrapers, to all webhook callers, or to everyone.
 */
export const portAnnotation = (
  whom: 'from-all-scrape-targets-allowed-ports' | 'from-world-to-ports',
  port: number,
): TextMap => ({
  [`networking.resources.gardener.cloud/${whom}`]: JSON.stringify([{ port, protocol: 'TCP' }]),
})

import type { V1Service } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { loadBalancerControllerLabels, webhookPort, webhookServiceName } from './names.ts'

/** The Service by which the shoot's API server, in the same namespace, calls the webhooks. */
export const webhookService = (namespace: string): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    annotations: {
      'networking.resources.gardener.cloud/from-all-webhook-targets-allowed-ports': JSON.stringify([
        { protocol: 'TCP', port: webhookPort },
      ]),
    },
    name: webhookServiceName,
    namespace,
  },
  spec: {
    ports: [{ port: 443, name: 'webhook-server', targetPort: webhookPort }],
    selector: loadBalancerControllerLabels,
  },
})

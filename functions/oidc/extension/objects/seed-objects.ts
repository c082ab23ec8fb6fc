import type { V1Secret, V1Service } from '@kubernetes/client-node'
import { fromCallers, podDisruptionBudget, serviceAccount } from '../../../../build/library/components.ts'
import type { KubernetesObject, Rendered } from '../../../../build/library/trellis.ts'
import { authenticatorName, kubeconfigSecretName, tokenValidatorFolder } from '../api-server/oidc.ts'
import { authenticator } from './authenticator.ts'
import { labels, port } from './labels.ts'
import type { SeedInput } from './seed-input.ts'

/** The objects in the seed: the authenticator, and the kubeconfig by which an API server calls it. */
export const seedObjects = (input: SeedInput): readonly KubernetesObject[] => {
  const { namespace, prometheus } = input
  return [
    serviceAccount(namespace, authenticatorName, { labels }),
    podDisruptionBudget(namespace, authenticatorName, labels),
    kubeconfigSecret(namespace),
    service(namespace, prometheus),
    authenticator(input),
    autoscaler(namespace),
    serviceMonitor(namespace, prometheus),
  ]
}

/** For the API server: it sends no credentials and trusts the CA of the authenticator. */
const kubeconfigSecret = (namespace: string): Rendered<V1Secret> => {
  const name = authenticatorName
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: `https://${name}.${namespace}/validate-token`,
          'certificate-authority': `${tokenValidatorFolder}/bundle.crt`,
        },
      },
    ],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  }
  const kubeconfig = Buffer.from(`${JSON.stringify(config)}\n`).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: kubeconfigSecretName, namespace, labels },
    data: { kubeconfig },
  }
}

const service = (namespace: string, prometheus: SeedInput['prometheus']): Rendered<V1Service> => {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: authenticatorName,
      namespace,
      labels,
      annotations: {
        ...fromCallers(prometheus === 'garden' ? 'all-garden-scrape-targets' : 'all-scrape-targets', [port]),
        ...fromCallers('all-webhook-targets', [port]),
      },
    },
    spec: {
      type: 'ClusterIP',
      selector: labels,
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
    },
  }
}

const autoscaler = (namespace: string): KubernetesObject => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata: { name: authenticatorName, namespace, labels },
  spec: {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: authenticatorName },
    updatePolicy: { updateMode: 'InPlaceOrRecreate' },
    resourcePolicy: { containerPolicies: [{ containerName: '*', controlledValues: 'RequestsOnly' }] },
  },
})

const serviceMonitor = (namespace: string, prometheus: SeedInput['prometheus']): KubernetesObject => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: `${prometheus}-${authenticatorName}`, namespace, labels: { prometheus } },
  spec: {
    selector: { matchLabels: labels },
    endpoints: [
      {
        port: 'https',
        scheme: 'https',
        tlsConfig: { insecureSkipVerify: true },
        metricRelabelings: [
          { sourceLabels: ['__name__'], action: 'keep', regex: '^(oidc_webhook_authenticator_.+)$' },
        ],
      },
    ],
  },
})

import { defineFunction, type KubernetesObject } from '@trellis-gardener/trellis'
import {
  availabilityLabels,
  findImage,
  fromCallers,
  type ImageSource,
  imageSettingsFor,
  maintenanceLabels,
  networkLabels,
  openImages,
  podDisruptionBudget,
  priorityClasses,
} from '@trellis-gardener/trellis/components'
import { managedResourceCheck } from '@trellis-gardener/trellis/health'
import { type ExtensionInput, extensionFlow, resourcePermissions } from '@trellis-gardener/trellis/resources'
import { dnsNamesOfService, keyPairQueue, type SecretConfig } from '@trellis-gardener/trellis/secrets'
import {
  failureToleranceOf,
  isHibernationEnabled,
  kubernetesVersionOf,
} from '@trellis-gardener/trellis/shoot'

const name = 'acme-audit'
const port = 10_250
const authority = `ca-${name}`
const certificate = `${name}-tls`

/** The image of the program, by the shoot's version of Kubernetes. Operators override it with a file. */
const imageTable: readonly ImageSource[] = [
  { name, repository: 'registry.example.com/acme/audit', tag: 'v1.2.0', targetVersion: '< 1.34' },
  { name, repository: 'registry.example.com/acme/audit', tag: 'v2.0.0', targetVersion: '>= 1.34' },
]

/** Extensions of type `acme-audit`: a server in the seed that gets audit events of a shoot's API server by HTTPS. */
export const definition = defineFunction({
  name,
  kind: 'Extension',
  type: name,
  permissions: resourcePermissions,
  settings: imageSettingsFor(imageTable),
  health: { conditions: [{ type: 'SystemComponentsHealthy', checks: [managedResourceCheck(name)] }] },
  create: ({ imagevectorOverwrite }) => {
    const images = openImages(imageTable, imagevectorOverwrite)
    return extensionFlow({
      resource: { name, class: 'seed', key: 'data.yaml' },
      secrets: {
        identity: name,
        createKeyPair: keyPairQueue(),
        configs: ({ object }) => secretConfigs(object.metadata.namespace ?? ''),
      },
      objects: ({ object, cluster }, { secrets }) => {
        if (cluster === undefined)
          throw new Error(`the namespace ${object.metadata.namespace} belongs to no shoot`)
        return objectsOf({
          namespace: object.metadata.namespace ?? '',
          image: findImage(images, name, kubernetesVersionOf(cluster)),
          replicas: isHibernationEnabled(cluster) ? 0 : failureToleranceOf(cluster) === undefined ? 1 : 2,
          secrets,
        })
      },
      healthyWithinMs: () => 120_000,
    })
  },
})

/** The CA moves with the shoot, and rotates with its CAs. The server's certificate is renewed in time. */
const secretConfigs = (namespace: string): readonly SecretConfig[] => [
  { kind: 'ca', name: authority, commonName: authority, persist: true },
  {
    kind: 'server',
    name: certificate,
    commonName: name,
    dnsNames: dnsNamesOfService(name, namespace),
    signedBy: { ca: authority },
  },
]

interface AuditInput extends Pick<ExtensionInput, 'secrets'> {
  readonly namespace: string
  readonly image: string
  readonly replicas: number
}

const labels = { app: name }

const objectsOf = (input: AuditInput): readonly KubernetesObject[] => [
  deployment(input),
  service(input.namespace),
  podDisruptionBudget(input.namespace, name, labels),
  // For the API server, which verifies the audit server with it.
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: authority, namespace: input.namespace },
    data: {
      'bundle.crt': Buffer.from(
        input.secrets.bundle(authority).data['bundle.crt'] ?? '',
        'base64',
      ).toString(),
    },
  },
]

const service = (namespace: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, labels, annotations: fromCallers('all-webhook-targets', [port]) },
  spec: { selector: labels, ports: [{ name: 'https', port: 443, targetPort: port }] },
})

const deployment = ({ namespace, image, replicas, secrets }: AuditInput): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { ...labels, ...availabilityLabels.server } },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: {
        labels: { ...labels, ...maintenanceLabels, ...networkLabels.toDns },
      },
      spec: {
        automountServiceAccountToken: false,
        priorityClassName: priorityClasses.controlPlane[300],
        containers: [
          {
            name,
            image,
            args: [`--port=${port}`, '--tls-folder=/etc/tls'],
            ports: [{ containerPort: port }],
            volumeMounts: [{ name: 'tls', mountPath: '/etc/tls', readOnly: true }],
          },
        ],
        volumes: [
          // A new certificate has a new name, which restarts the pods.
          { name: 'tls', secret: { secretName: secrets.current(certificate).name } },
        ],
      },
    },
  },
})

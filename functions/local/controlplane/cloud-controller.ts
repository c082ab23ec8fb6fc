import type { V1Container, V1Volume } from '@kubernetes/client-node'
import { checksum, cipherSuites } from '../../../shared/control-plane/control-plane.ts'
import type { Json, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  availabilityLabels,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
  role,
  roleBinding,
  serviceAccount,
} from '../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../shared/shoot/shoot.ts'
import { configName, credentialsFolder } from './cloud-provider-config.ts'
import type { LocalControlPlaneValues } from './control-plane-values.ts'

export const cloudControllerName = 'cloud-controller-manager'

export interface CloudControllerInput
  extends Pick<LocalControlPlaneValues, 'namespace' | 'genericKubeconfig' | 'hasManagedInfrastructure'> {
  readonly image: string
  readonly replicas: number
  /** Name of the Secret with its server certificate. */
  readonly serverSecret: string
  /** Data of its ConfigMap. A change restarts the pods. */
  readonly configData: Readonly<Record<string, string>>
}

const labels = { app: 'kubernetes', role: cloudControllerName }
const port = 10_258
const serverFolder = '/var/lib/cloud-controller-manager-server'

/**
 * The controller of Services of type LoadBalancer. It runs in the seed, with the host's Docker, in which each Service
 * becomes a container.
 */
export const cloudController = (input: CloudControllerInput): readonly KubernetesObject[] => {
  const { namespace, hasManagedInfrastructure, replicas } = input
  return [
    serviceAccount(namespace, cloudControllerName, { labels }),
    ...(hasManagedInfrastructure ? podReader(namespace) : []),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: cloudControllerName,
        namespace,
        labels: { ...labels, ...availabilityLabels.controller },
      },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            annotations: { 'checksum/configmap-cloud-provider-config': checksum(input.configData) },
            labels: {
              ...controlPlaneLabels,
              ...labels,
              ...networkLabels.toDns,
              ...networkLabels.toShootApiServer,
              ...networkLabels.toRuntimeApiServer,
              ...maintenanceLabels,
            },
          },
          spec: {
            priorityClassName: 'gardener-system-300',
            serviceAccountName: cloudControllerName,
            containers: [container(input)],
            volumes: volumes(input),
          },
        },
      },
    },
  ]
}

const container = ({
  namespace,
  image,
  hasManagedInfrastructure,
}: CloudControllerInput): Json<V1Container> => ({
  name: cloudControllerName,
  image,
  imagePullPolicy: 'IfNotPresent',
  args: [
    '--cloud-provider=local',
    '--cloud-config=/etc/kubernetes/cloudprovider/config.yaml',
    `--cluster-name=${namespace}`,
    `--kubeconfig=${kubeconfigPath}`,
    `--authentication-kubeconfig=${kubeconfigPath}`,
    `--authorization-kubeconfig=${kubeconfigPath}`,
    '--leader-elect=true',
    `--secure-port=${port}`,
    `--tls-cert-file=${serverFolder}/tls.crt`,
    `--tls-private-key-file=${serverFolder}/tls.key`,
    `--tls-cipher-suites=${cipherSuites.join()}`,
    '--controllers=service',
    '--concurrent-service-syncs=10',
    '--use-service-account-credentials',
    '--v=2',
  ],
  ports: [{ containerPort: port, name: 'metrics', protocol: 'TCP' }],
  livenessProbe: {
    httpGet: { path: '/healthz', scheme: 'HTTPS', port },
    successThreshold: 1,
    failureThreshold: 2,
    initialDelaySeconds: 15,
    periodSeconds: 10,
    timeoutSeconds: 15,
  },
  resources: { requests: { cpu: '50m', memory: '64Mi' } },
  // The host's Docker socket belongs to root.
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: false,
    runAsUser: 0,
    runAsGroup: 0,
  },
  volumeMounts: [
    kubeconfigMount(),
    ...(hasManagedInfrastructure
      ? [{ name: 'cloudprovider', mountPath: credentialsFolder, readOnly: true }]
      : []),
    { name: configName, mountPath: '/etc/kubernetes/cloudprovider' },
    { name: 'cloud-controller-manager-server', mountPath: serverFolder },
    { name: 'docker', mountPath: '/var/run/docker.sock' },
  ],
})

const volumes = ({
  genericKubeconfig,
  serverSecret,
  hasManagedInfrastructure,
}: CloudControllerInput): readonly Json<V1Volume>[] => [
  kubeconfigVolume(genericKubeconfig, cloudControllerName),
  ...(hasManagedInfrastructure ? [{ name: 'cloudprovider', secret: { secretName: 'cloudprovider' } }] : []),
  { name: configName, configMap: { name: configName } },
  { name: 'cloud-controller-manager-server', secret: { secretName: serverSecret } },
  { name: 'docker', hostPath: { path: '/var/run/docker.sock' } },
]

/** Permission to find the machines, which are pods. Routes to them lead through the node on which they run. */
const podReader = (namespace: string): readonly KubernetesObject[] => [
  role(namespace, cloudControllerName, [allow('', 'pods', ['get', 'list', 'watch'])], labels),
  roleBinding(namespace, { name: cloudControllerName, account: cloudControllerName, labels }),
]

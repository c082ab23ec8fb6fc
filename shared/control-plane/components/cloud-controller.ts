import type { V1Deployment } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
  podDisruptionBudget,
  type TextMap,
} from '../../manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../shoot/shoot.ts'
import { cipherSuites } from '../cipher-suites.ts'
import { prometheusRule, serviceMonitor } from './monitoring.ts'
import { metricsService, portAnnotation } from './services.ts'
import type { Mount, PodVolume } from './volumes.ts'
import type { Container } from './workload.ts'

export const cloudControllerName = 'cloud-controller-manager'
const cloudControllerLabels = { app: 'kubernetes', role: cloudControllerName }

/** Port for metrics and probes, over TLS. */
const cloudControllerPort = 10258

/**
 * Returns the seed objects around the Deployment of a cloud controller manager: Service, disruption budget and
 * monitoring.
 *
 * @param description the effect of its absence, for the alert
 */
export const aroundCloudController = (
  namespace: string,
  description: string,
): readonly KubernetesObject[] => [
  podDisruptionBudget(namespace, cloudControllerName, cloudControllerLabels),
  metricsService(namespace, cloudControllerName, {
    selector: cloudControllerLabels,
    port: cloudControllerPort,
    metadata: {
      labels: cloudControllerLabels,
      annotations: portAnnotation('from-all-scrape-targets-allowed-ports', cloudControllerPort),
    },
  }),
  prometheusRule(namespace, cloudControllerName, [
    {
      alert: 'CloudControllerManagerDown',
      expr: `absent(up{job="${cloudControllerName}"} == 1)`,
      for: '15m',
      labels: { service: cloudControllerName, severity: 'critical', type: 'seed', visibility: 'all' },
      annotations: { description, summary: 'Cloud controller manager is down.' },
    },
  ]),
  serviceMonitor(namespace, cloudControllerName, {
    labels: cloudControllerLabels,
    keep: '^(rest_client_requests_total|process_max_fds|process_open_fds)$',
    honorLabels: false,
    authorization: { credentials: { name: 'shoot-access-prometheus-shoot', key: 'token' } },
    scheme: 'https',
    tlsConfig: { insecureSkipVerify: true },
  }),
]

const serverVolume = 'cloud-controller-manager-server'
const serverFolder = '/var/lib/cloud-controller-manager-server'

/** The last flags of every cloud controller manager but its verbosity: how it reaches the shoot, and how it serves. */
export const cloudControllerFlags: readonly string[] = [
  `--kubeconfig=${kubeconfigPath}`,
  `--authentication-kubeconfig=${kubeconfigPath}`,
  `--authorization-kubeconfig=${kubeconfigPath}`,
  '--leader-elect=true',
  `--secure-port=${cloudControllerPort}`,
  `--tls-cert-file=${serverFolder}/tls.crt`,
  `--tls-private-key-file=${serverFolder}/tls.key`,
  `--tls-cipher-suites=${cipherSuites.join(',')}`,
  '--use-service-account-credentials',
]

export interface CloudController {
  readonly namespace: string
  readonly replicas: number
  /** Checksums of its configuration and credentials. */
  readonly annotations: TextMap
  /** Labels for traffic, beside that to the internet and the shoot's API server. */
  readonly networks?: TextMap
  /** Name of the Secret with the kubeconfig shared by all components. */
  readonly genericKubeconfig: string
  /** Name of the Secret with its certificate. */
  readonly serverSecret: string
  readonly container: Container
  /** Its mounts and volumes, beside the kubeconfig and the certificate. */
  readonly mounts: readonly Mount[]
  readonly volumes: readonly PodVolume[]
}

/** Returns the Deployment of a cloud controller manager. */
export const cloudControllerDeployment = ({
  namespace,
  replicas,
  annotations,
  networks,
  genericKubeconfig,
  serverSecret,
  container,
  mounts,
  volumes,
}: CloudController): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: cloudControllerName,
    namespace,
    labels: { ...cloudControllerLabels, ...availabilityLabels.controller },
  },
  spec: {
    revisionHistoryLimit: 1,
    replicas,
    selector: { matchLabels: cloudControllerLabels },
    template: {
      metadata: {
        annotations,
        labels: {
          ...controlPlaneLabels,
          ...cloudControllerLabels,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networks,
          ...networkLabels.toShootApiServer,
          ...maintenanceLabels,
        },
      },
      spec: {
        automountServiceAccountToken: false,
        priorityClassName: 'gardener-system-300',
        containers: [
          {
            ...container,
            imagePullPolicy: 'IfNotPresent',
            livenessProbe: {
              httpGet: { path: '/healthz', scheme: 'HTTPS', port: cloudControllerPort },
              successThreshold: 1,
              failureThreshold: 2,
              initialDelaySeconds: 15,
              periodSeconds: 10,
              timeoutSeconds: 15,
            },
            ports: [{ containerPort: cloudControllerPort, name: 'metrics', protocol: 'TCP' }],
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            volumeMounts: [kubeconfigMount(), { name: serverVolume, mountPath: serverFolder }, ...mounts],
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        terminationGracePeriodSeconds: 30,
        volumes: [
          kubeconfigVolume(genericKubeconfig, cloudControllerName),
          { name: serverVolume, secret: { secretName: serverSecret } },
          ...volumes,
        ],
      },
    },
  },
})

/** Returns the flag of a component's feature gates, or nothing without gates. */
export const featureGatesFlag = (gates: Readonly<Record<string, boolean>>): readonly string[] => {
  const sorted = Object.entries(gates).sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.length === 0 ? [] : [`--feature-gates=${sorted.map(gate => gate.join('=')).join(',')}`]
}

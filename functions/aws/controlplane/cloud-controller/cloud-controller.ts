import type { V1Deployment, V1Service } from '@kubernetes/client-node'
import { cipherSuites } from '../../../../shared/control-plane/control-plane.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  clusterRoleBinding,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
  podDisruptionBudget,
} from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../shared/shoot/shoot.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'
import { prometheusRule, serviceMonitor } from '../objects/monitoring.ts'
import { metricsService, portAnnotation } from '../objects/services.ts'
import { credentialsByEnvironment } from '../objects/volumes.ts'
import {
  type Component,
  checksumAnnotations,
  credentialsChecksum,
  memory,
  type Rendering,
  roleName,
  verticalPodAutoscaler,
} from '../objects/workload.ts'
import { cloudProviderConfigFile, cloudProviderConfigName } from './cloud-provider-config.ts'

export const cloudControllerName = 'cloud-controller-manager'
const cloudControllerLabels = { app: 'kubernetes', role: cloudControllerName }

/** Adds the AWS metadata to nodes and creates load balancers. */
export const cloudController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, cloudControllerName, cloudControllerLabels),
    service(rendering.namespace),
    cloudControllerDeployment(rendering),
    prometheusRule(rendering.namespace, cloudControllerName, [alertWhenDown]),
    monitor(rendering.namespace),
    verticalPodAutoscaler(rendering.namespace, cloudControllerName, [`aws-${cloudControllerName}`]),
  ],
  shoot: () => [
    clusterRoleBinding({
      name: roleName(cloudControllerName),
      role: 'cluster-admin',
      account: cloudControllerName,
      // It cleans up load balancers until the end of a shoot.
      annotations: { 'resources.gardener.cloud/keep-object': 'true' },
    }),
  ],
}

const service = (namespace: string): Rendered<V1Service> =>
  metricsService(namespace, cloudControllerName, {
    selector: cloudControllerLabels,
    port: metricsPort,
    metadata: {
      labels: cloudControllerLabels,
      annotations: portAnnotation('from-all-scrape-targets-allowed-ports', metricsPort),
    },
  })

const monitor = (namespace: string) =>
  serviceMonitor(namespace, cloudControllerName, {
    labels: cloudControllerLabels,
    keep: '^(rest_client_requests_total|process_max_fds|process_open_fds)$',
    honorLabels: false,
    authorization: { credentials: { name: 'shoot-access-prometheus-shoot', key: 'token' } },
    scheme: 'https',
    tlsConfig: { insecureSkipVerify: true },
  })

const alertWhenDown = {
  alert: 'CloudControllerManagerDown',
  expr: `absent(up{job="${cloudControllerName}"} == 1)`,
  for: '15m',
  labels: { service: cloudControllerName, severity: 'critical', type: 'seed', visibility: 'all' },
  annotations: {
    // Spelled as in Gardener's alerts, because operators search for it.
    description:
      'All infrastruture specific operations cannot be completed (e.g. creating loadbalancers or persistent volumes).',
    summary: 'Cloud controller manager is down.',
  },
}

const serverVolume = 'cloud-controller-manager-server'

const cloudControllerDeployment = (rendering: Rendering): Rendered<V1Deployment> => {
  const { namespace, region, replicas, image, generated, checksums, genericKubeconfig } = rendering
  const credentials = credentialsByEnvironment(rendering.hasWorkloadIdentity)
  return {
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
          annotations: {
            [checksumAnnotations.cloudProviderConfig]: checksums.cloudProviderConfig,
            ...credentialsChecksum(rendering),
          },
          labels: {
            ...controlPlaneLabels,
            ...cloudControllerLabels,
            ...networkLabels.toDns,
            ...networkLabels.toPublicNetworks,
            ...networkLabels.toShootApiServer,
            ...maintenanceLabels,
          },
        },
        spec: {
          automountServiceAccountToken: false,
          priorityClassName: 'gardener-system-300',
          containers: [
            {
              name: `aws-${cloudControllerName}`,
              image: image('cloud-controller-manager'),
              imagePullPolicy: 'IfNotPresent',
              command: cloudControllerCommand(rendering),
              env: [...credentials.env, { name: 'AWS_REGION', value: region }],
              securityContext: { allowPrivilegeEscalation: false },
              livenessProbe: {
                httpGet: { path: '/healthz', scheme: 'HTTPS', port: metricsPort },
                successThreshold: 1,
                failureThreshold: 2,
                initialDelaySeconds: 15,
                periodSeconds: 10,
                timeoutSeconds: 15,
              },
              ports: [{ containerPort: metricsPort, name: 'metrics', protocol: 'TCP' }],
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
              resources: memory('100Mi'),
              volumeMounts: [
                kubeconfigMount(),
                { name: serverVolume, mountPath: serverFolder },
                credentials.mount,
                { name: cloudProviderConfigName, mountPath: configFolder },
              ],
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
          volumes: [
            kubeconfigVolume(genericKubeconfig, cloudControllerName),
            { name: serverVolume, secret: { secretName: generated.cloudControllerServer } },
            credentials.volume,
            { name: cloudProviderConfigName, configMap: { name: cloudProviderConfigName } },
          ],
        },
      },
    },
  }
}

const serverFolder = '/var/lib/cloud-controller-manager-server'
const configFolder = '/etc/kubernetes/cloudprovider'

const cloudControllerCommand = (values: ControlPlaneValues): readonly string[] => [
  '/bin/aws-cloud-controller-manager',
  '--allocate-node-cidrs=false',
  '--cloud-provider=aws',
  `--cloud-config=${configFolder}/${cloudProviderConfigFile}`,
  `--cluster-cidr=${values.networking.podRanges.join(',')}`,
  `--cluster-name=${values.namespace}`,
  '--concurrent-service-syncs=10',
  '--configure-cloud-routes=false',
  ...featureGates(values),
  ...controllers(values),
  `--kubeconfig=${kubeconfigPath}`,
  `--authentication-kubeconfig=${kubeconfigPath}`,
  `--authorization-kubeconfig=${kubeconfigPath}`,
  '--leader-elect=true',
  `--secure-port=${metricsPort}`,
  `--tls-cert-file=${serverFolder}/tls.crt`,
  `--tls-private-key-file=${serverFolder}/tls.key`,
  `--tls-cipher-suites=${cipherSuites.join(',')}`,
  '--use-service-account-credentials',
  '--v=2',
]

const featureGates = ({ config }: ControlPlaneValues): readonly string[] => {
  const gates = Object.entries(config.featureGates).sort(([one], [other]) => (one < other ? -1 : 1))
  return gates.length === 0 ? [] : [`--feature-gates=${gates.map(gate => gate.join('=')).join(',')}`]
}

/** Without a subnet for load balancers, their creation would always fail. */
const controllers = ({ infrastructure }: ControlPlaneValues): readonly string[] =>
  infrastructure.hasLoadBalancerSubnets ? [] : ['--controllers=*,-service']

/** Port for metrics and probes, over TLS. */
const metricsPort = 10258

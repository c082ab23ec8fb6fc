import type { V1Deployment } from '@kubernetes/client-node'
import {
  aroundCloudController,
  type Container,
  cloudControllerLabels,
  cloudControllerName,
  cloudControllerPort,
  featureGatesFlag,
  verticalPodAutoscaler,
} from '../../../shared/control-plane/components/components.ts'
import { checksum, cipherSuites } from '../../../shared/control-plane/control-plane.ts'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  availabilityLabels,
  clusterRole,
  clusterRoleBinding,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
} from '../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../shared/shoot/shoot.ts'
import { cloudConfigName, configFile, configFolder, roleName } from './names.ts'
import {
  hostCertificates,
  type OpenStackComponent,
  type OpenStackRendering,
  unprivileged,
  userAgentFlags,
} from './rendering.ts'

const container = `openstack-${cloudControllerName}`
const nodeControllerRole = 'system:controller:cloud-node-controller'

/** Adds the metadata of OpenStack to nodes, and creates load balancers and routes. */
export const cloudController: OpenStackComponent = {
  seed: rendering => [
    ...aroundCloudController(
      rendering.namespace,
      'All infrastructure specific operations cannot be completed (e.g. creating loadbalancers or persistent volumes).',
    ),
    deployment(rendering),
    verticalPodAutoscaler(rendering.namespace, cloudControllerName, [container], { resources: 'all' }),
  ],
  shoot: () => [
    clusterRole(nodeControllerRole, [
      allow('', 'nodes', ['delete', 'get', 'patch', 'update', 'list']),
      allow('', 'nodes/status', ['patch']),
      allow('', 'events', ['create', 'patch', 'update']),
    ]),
    clusterRoleBinding({ name: nodeControllerRole, account: 'cloud-node-controller' }),
    clusterRoleBinding({
      name: roleName(cloudControllerName),
      role: 'cluster-admin',
      account: cloudControllerName,
      // It cleans up load balancers until the end of a shoot.
      annotations: { 'resources.gardener.cloud/keep-object': 'true' },
    }),
  ],
}

const serverVolume = 'cloud-controller-manager-server'
const serverFolder = '/var/lib/cloud-controller-manager-server'

const deployment = (rendering: OpenStackRendering): Rendered<V1Deployment> => {
  const { namespace, replicas, serverSecret, genericKubeconfig, configs, cloudproviderChecksum } = rendering
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
            [`checksum/secret-${cloudConfigName}`]: checksum(configs.cloudController.data),
            'checksum/secret-cloudprovider': cloudproviderChecksum,
          },
          labels: {
            ...controlPlaneLabels,
            ...cloudControllerLabels,
            ...networkLabels.toDns,
            ...networkLabels.toPublicNetworks,
            ...networkLabels.toPrivateNetworks,
            ...networkLabels.toShootApiServer,
            ...maintenanceLabels,
          },
        },
        spec: {
          automountServiceAccountToken: false,
          priorityClassName: 'gardener-system-300',
          containers: [containerOf(rendering)],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
          volumes: [
            kubeconfigVolume(genericKubeconfig, cloudControllerName),
            { name: serverVolume, secret: { secretName: serverSecret } },
            { name: cloudConfigName, secret: { secretName: cloudConfigName } },
            hostCertificates.share,
            hostCertificates.etc,
          ],
        },
      },
    },
  }
}

const containerOf = (rendering: OpenStackRendering): Container => ({
  name: container,
  image: rendering.image('cloud-controller-manager'),
  imagePullPolicy: 'IfNotPresent',
  command: [
    '/bin/openstack-cloud-controller-manager',
    '--allocate-node-cidrs=true',
    '--cloud-provider=openstack',
    `--cloud-config=${configFolder}/${configFile}`,
    `--cluster-cidr=${rendering.networking.podRanges.join(',')}`,
    `--cluster-name=${rendering.namespace}`,
    '--concurrent-service-syncs=10',
    // Routes are created only if the configuration names a router.
    '--configure-cloud-routes=true',
    ...featureGatesFlag(rendering.config.featureGates),
    `--kubeconfig=${kubeconfigPath}`,
    `--authentication-kubeconfig=${kubeconfigPath}`,
    `--authorization-kubeconfig=${kubeconfigPath}`,
    '--leader-elect=true',
    `--secure-port=${cloudControllerPort}`,
    `--tls-cert-file=${serverFolder}/tls.crt`,
    `--tls-private-key-file=${serverFolder}/tls.key`,
    `--tls-cipher-suites=${cipherSuites.join(',')}`,
    '--use-service-account-credentials',
    ...userAgentFlags(rendering),
    '--v=2',
  ],
  livenessProbe: {
    httpGet: { path: '/healthz', scheme: 'HTTPS', port: cloudControllerPort },
    successThreshold: 1,
    failureThreshold: 2,
    initialDelaySeconds: 15,
    periodSeconds: 10,
    timeoutSeconds: 15,
  },
  ports: [{ containerPort: cloudControllerPort, name: 'metrics', protocol: 'TCP' }],
  securityContext: { ...unprivileged, runAsNonRoot: true, runAsUser: 2000, runAsGroup: 2000 },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
  volumeMounts: [
    kubeconfigMount(),
    { name: serverVolume, mountPath: serverFolder },
    { name: cloudConfigName, mountPath: configFolder },
    ...hostCertificates.mounts,
  ],
})

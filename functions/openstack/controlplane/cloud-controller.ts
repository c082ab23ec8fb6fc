import {
  aroundCloudController,
  cloudControllerDeployment,
  cloudControllerFlags,
  cloudControllerName,
  featureGatesFlag,
  verticalPodAutoscaler,
} from '../../../shared/control-plane/components/components.ts'
import { checksum } from '../../../shared/control-plane/control-plane.ts'
import { allow, clusterRole, clusterRoleBinding, networkLabels } from '../../../shared/manifests/manifests.ts'
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

const deployment = (rendering: OpenStackRendering) =>
  cloudControllerDeployment({
    namespace: rendering.namespace,
    replicas: rendering.replicas,
    annotations: {
      [`checksum/secret-${cloudConfigName}`]: checksum(rendering.configs.cloudController.data),
      'checksum/secret-cloudprovider': rendering.cloudproviderChecksum,
    },
    networks: networkLabels.toPrivateNetworks,
    genericKubeconfig: rendering.genericKubeconfig,
    serverSecret: rendering.serverSecret,
    container: {
      name: container,
      image: rendering.image('cloud-controller-manager'),
      command: commandOf(rendering),
      securityContext: { ...unprivileged, runAsNonRoot: true, runAsUser: 2000, runAsGroup: 2000 },
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
    },
    mounts: [{ name: cloudConfigName, mountPath: configFolder }, ...hostCertificates.mounts],
    volumes: [
      { name: cloudConfigName, secret: { secretName: cloudConfigName } },
      hostCertificates.share,
      hostCertificates.etc,
    ],
  })

const commandOf = (rendering: OpenStackRendering): readonly string[] => [
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
  ...cloudControllerFlags,
  ...userAgentFlags(rendering),
  '--v=2',
]

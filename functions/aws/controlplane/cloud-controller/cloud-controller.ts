import {
  aroundCloudController,
  cloudControllerDeployment,
  cloudControllerFlags,
  cloudControllerName,
  featureGatesFlag,
  memory,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import { clusterRoleBinding } from '../../../../shared/manifests/manifests.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'
import { credentialsByEnvironment } from '../objects/volumes.ts'
import {
  type Component,
  checksumAnnotations,
  credentialsChecksum,
  type Rendering,
  roleName,
} from '../objects/workload.ts'
import { cloudProviderConfigFile, cloudProviderConfigName } from './cloud-provider-config.ts'

/** Adds the AWS metadata to nodes and creates load balancers. */
export const cloudController: Component = {
  seed: rendering => [
    ...aroundCloudController(
      rendering.namespace,
      // Spelled as in Gardener's alerts, because operators search for it.
      'All infrastruture specific operations cannot be completed (e.g. creating loadbalancers or persistent volumes).',
    ),
    cloudControllerOf(rendering),
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

const cloudControllerOf = (rendering: Rendering) => {
  const { namespace, region, replicas, image, generated, checksums, genericKubeconfig } = rendering
  const credentials = credentialsByEnvironment(rendering.hasWorkloadIdentity)
  return cloudControllerDeployment({
    namespace,
    replicas,
    annotations: {
      [checksumAnnotations.cloudProviderConfig]: checksums.cloudProviderConfig,
      ...credentialsChecksum(rendering),
    },
    genericKubeconfig,
    serverSecret: generated.cloudControllerServer,
    container: {
      name: `aws-${cloudControllerName}`,
      image: image('cloud-controller-manager'),
      command: cloudControllerCommand(rendering),
      env: [...credentials.env, { name: 'AWS_REGION', value: region }],
      securityContext: { allowPrivilegeEscalation: false },
      resources: memory('100Mi'),
    },
    mounts: [credentials.mount, { name: cloudProviderConfigName, mountPath: configFolder }],
    volumes: [
      credentials.volume,
      { name: cloudProviderConfigName, configMap: { name: cloudProviderConfigName } },
    ],
  })
}

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
  ...featureGatesFlag(values.config.featureGates),
  ...controllers(values),
  ...cloudControllerFlags,
  '--v=2',
]

/** Without a subnet for load balancers, their creation would always fail. */
const controllers = ({ infrastructure }: ControlPlaneValues): readonly string[] =>
  infrastructure.hasLoadBalancerSubnets ? [] : ['--controllers=*,-service']

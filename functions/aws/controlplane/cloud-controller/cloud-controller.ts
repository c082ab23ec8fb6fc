import type { V1Deployment } from '@kubernetes/client-node'
import {
  aroundCloudController,
  cloudControllerLabels,
  cloudControllerName,
  cloudControllerPort,
  featureGatesFlag,
  memory,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import { cipherSuites } from '../../../../shared/control-plane/control-plane.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  clusterRoleBinding,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
} from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../shared/shoot/shoot.ts'
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
    cloudControllerDeployment(rendering),
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
  ...featureGatesFlag(values.config.featureGates),
  ...controllers(values),
  `--kubeconfig=${kubeconfigPath}`,
  `--authentication-kubeconfig=${kubeconfigPath}`,
  `--authorization-kubeconfig=${kubeconfigPath}`,
  '--leader-elect=true',
  `--secure-port=${cloudControllerPort}`,
  `--tls-cert-file=${serverFolder}/tls.crt`,
  `--tls-private-key-file=${serverFolder}/tls.key`,
  `--tls-cipher-suites=${cipherSuites.join(',')}`,
  '--use-service-account-credentials',
  '--v=2',
]

/** Without a subnet for load balancers, their creation would always fail. */
const controllers = ({ infrastructure }: ControlPlaneValues): readonly string[] =>
  infrastructure.hasLoadBalancerSubnets ? [] : ['--controllers=*,-service']

import type { V1Deployment } from '@kubernetes/client-node'
import { memory, verticalPodAutoscaler } from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  availabilityLabels,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
  podDisruptionBudget,
  role,
  roleBinding,
  serviceAccount,
} from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../shared/shoot/shoot.ts'
import { credentialsBySecret } from '../objects/volumes.ts'
import { cloudproviderName, credentialsChecksum, type Rendering } from '../objects/workload.ts'

const healthPort = 10259
const metricsPort = 10258

export interface NodeController {
  /** The name of the Deployment, its image, its program and its ServiceAccounts. */
  readonly name: 'aws-custom-route-controller' | 'aws-ipam-controller'
  readonly isOn: boolean
  /** The flags that both controllers share, placed between their own. */
  readonly command: (flags: NodeControllerFlags) => readonly string[]
}

interface NodeControllerFlags {
  readonly ofSeed: readonly string[]
  readonly ofShoot: readonly string[]
}

/**
 * The seed objects of a Gardener controller for nodes. It reads the credentials of AWS from the seed's API server and
 * the nodes from the shoot's.
 */
export const nodeController = (
  rendering: Rendering,
  controller: NodeController,
): readonly KubernetesObject[] => {
  const { namespace } = rendering
  const { name } = controller
  return [
    podDisruptionBudget(namespace, name, labelsOf(name)),
    serviceAccount(namespace, name),
    role(namespace, name, [allow('', 'secrets', ['get'], cloudproviderName)]),
    roleBinding(namespace, { name, account: name }),
    deployment(rendering, controller),
    verticalPodAutoscaler(namespace, name, [name]),
  ]
}

const labelsOf = (role: string) => ({ app: 'kubernetes', role })

const deployment = (
  rendering: Rendering,
  { name, isOn, command }: NodeController,
): Rendered<V1Deployment> => {
  const { namespace, region, replicas, image, genericKubeconfig } = rendering
  const credentials = credentialsBySecret(rendering.hasWorkloadIdentity)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labelsOf(name), ...availabilityLabels.controller } },
    spec: {
      revisionHistoryLimit: 1,
      replicas: isOn ? replicas : 0,
      selector: { matchLabels: labelsOf(name) },
      strategy: { type: 'Recreate' },
      template: {
        metadata: {
          annotations: credentialsChecksum(rendering),
          labels: {
            ...controlPlaneLabels,
            ...labelsOf(name),
            ...networkLabels.toDns,
            ...networkLabels.toPublicNetworks,
            ...networkLabels.toRuntimeApiServer,
            ...networkLabels.toShootApiServer,
            ...maintenanceLabels,
          },
        },
        spec: {
          priorityClassName: 'gardener-system-300',
          serviceAccountName: name,
          terminationGracePeriodSeconds: 5,
          containers: [
            {
              name,
              image: image(name),
              imagePullPolicy: 'IfNotPresent',
              command: [
                `/${name}`,
                ...command({
                  ofSeed: [
                    '--control-kubeconfig=inClusterConfig',
                    `--cluster-name=${namespace}`,
                    `--health-probe-port=${healthPort}`,
                    `--metrics-port=${metricsPort}`,
                    `--namespace=${namespace}`,
                  ],
                  ofShoot: [
                    `--region=${region}`,
                    `--target-kubeconfig=${kubeconfigPath}`,
                    '--leader-election=true',
                    '--leader-election-namespace=kube-system',
                  ],
                }),
              ],
              securityContext: { allowPrivilegeEscalation: false },
              livenessProbe: {
                failureThreshold: 3,
                httpGet: { path: '/healthz', port: healthPort, scheme: 'HTTP' },
                initialDelaySeconds: 30,
                periodSeconds: 10,
                successThreshold: 1,
                timeoutSeconds: 5,
              },
              readinessProbe: {
                httpGet: { path: '/readyz', port: healthPort, scheme: 'HTTP' },
                initialDelaySeconds: 5,
              },
              ports: [
                { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' },
                { name: 'healthz', containerPort: healthPort, protocol: 'TCP' },
              ],
              resources: memory('50Mi'),
              volumeMounts: [kubeconfigMount(), ...(credentials ? [credentials.mount] : [])],
            },
          ],
          volumes: [kubeconfigVolume(genericKubeconfig, name), ...(credentials ? [credentials.volume] : [])],
        },
      },
    },
  }
}

import type { V1Deployment } from '@kubernetes/client-node'
import { memory } from '../../../../shared/control-plane/components/components.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
} from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../shared/shoot/shoot.ts'
import { credentialsByEnvironment, fileMode } from '../objects/volumes.ts'
import { credentialsChecksum, type Rendering } from '../objects/workload.ts'
import {
  loadBalancerControllerLabels as labels,
  metricsPort,
  loadBalancerControllerName as name,
  webhookPort,
} from './names.ts'

const healthPort = 61779

export const loadBalancerControllerDeployment = (rendering: Rendering): Rendered<V1Deployment> => {
  const { namespace, config, replicas, image, generated, genericKubeconfig } = rendering
  const credentials = credentialsByEnvironment(rendering.hasWorkloadIdentity)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      labels: { ...labels, ...controlPlaneLabels, ...availabilityLabels.controller },
    },
    spec: {
      // Exists also when off: deleting the Deployment would block Ingresses that have its finalizers.
      replicas: config.loadBalancerController.enabled ? replicas : 0,
      selector: { matchLabels: labels },
      template: {
        metadata: {
          labels: {
            ...labels,
            ...controlPlaneLabels,
            ...maintenanceLabels,
            ...networkLabels.toDns,
            ...networkLabels.toPublicNetworks,
            ...networkLabels.toRuntimeApiServer,
            ...networkLabels.toShootApiServer,
          },
          annotations: credentialsChecksum(rendering),
        },
        spec: {
          volumes: [
            {
              name: 'cert',
              secret: { defaultMode: fileMode, secretName: generated.loadBalancerWebhookServer },
            },
            kubeconfigVolume(genericKubeconfig, name),
            credentials.volume,
          ],
          securityContext: { fsGroup: 65534 },
          containers: [
            {
              name,
              command: ['/controller'],
              args: argsOf(rendering),
              env: credentials.env,
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
              },
              image: image('aws-load-balancer-controller'),
              imagePullPolicy: 'IfNotPresent',
              volumeMounts: [
                { mountPath: '/tmp/k8s-webhook-server/serving-certs', name: 'cert', readOnly: true },
                kubeconfigMount(),
                credentials.mount,
              ],
              ports: [
                { name: 'webhook-server', containerPort: webhookPort, protocol: 'TCP' },
                { name: 'metrics-server', containerPort: metricsPort, protocol: 'TCP' },
              ],
              resources: memory('128Mi'),
              livenessProbe: {
                failureThreshold: 2,
                httpGet: { path: '/healthz', port: healthPort, scheme: 'HTTP' },
                initialDelaySeconds: 30,
                timeoutSeconds: 10,
              },
              readinessProbe: {
                failureThreshold: 2,
                httpGet: { path: '/readyz', port: healthPort, scheme: 'HTTP' },
                initialDelaySeconds: 10,
                successThreshold: 1,
                timeoutSeconds: 10,
              },
            },
          ],
          terminationGracePeriodSeconds: 10,
          affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apart] } },
          priorityClassName: 'gardener-system-300',
        },
      },
    },
  }
}

/** Schedules replicas on different nodes. */
const apart = {
  weight: 100,
  podAffinityTerm: {
    labelSelector: {
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [name] }],
    },
    topologyKey: 'kubernetes.io/hostname',
  },
}

const argsOf = ({ namespace, region, config, infrastructure }: Rendering): readonly string[] => [
  `--cluster-name=${namespace}`,
  `--ingress-class=${config.loadBalancerController.ingressClassName}`,
  `--aws-region=${region}`,
  `--aws-vpc-id=${infrastructure.vpcId}`,
  '--disable-ingress-class-annotation=true',
  `--default-tags=KubernetesCluster=${namespace},kubernetes.io/cluster/${namespace}=owned`,
  '--feature-gates=ALBGatewayAPI=false,NLBGatewayAPI=false',
  `--kubeconfig=${kubeconfigPath}`,
  '--leader-election-namespace=kube-system',
]

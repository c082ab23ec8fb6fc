import type { V1Deployment, V1NetworkPolicy, V1Service } from '@kubernetes/client-node'
import {
  podDisruptionBudget,
  serviceAccount,
  systemComponentLabels,
  systemNamespace,
  when,
} from '../../../../build/library/components.ts'
import type { KubernetesObject, Rendered } from '../../../../build/library/trellis.ts'
import { metricsService } from '../metrics-service.ts'
import {
  type CalicoComponent,
  type CalicoRendering,
  everywhere,
  labelsOf,
  originLabels,
  ports,
  preservesResources,
  reachesAll,
  requests,
  runtimeProfile,
  variable,
} from '../rendering.ts'
import { scaled, verticalPodAutoscaler } from '../vertical-pod-autoscaler.ts'

const name = 'calico-typha'
/** An older Deployment had the name of the Service and no replicas, and nothing would update it. */
export const typhaDeployment = 'calico-typha-deploy'

/**
 * Typha queries the API server on behalf of all nodes. Its Service and policy exist even without Typha, as in the Go
 * extension.
 */
export const typha: CalicoComponent = rendering => [
  networkPolicy,
  metricsService('calico-typha-monitoring', name, ports.typhaMetrics),
  ...when<KubernetesObject>(
    rendering.hasTypha,
    podDisruptionBudget(systemNamespace, name, labelsOf(name)),
    serviceAccount(systemNamespace, name),
    service,
    deployment(rendering),
  ),
  ...when(
    rendering.hasTypha && rendering.scaling.mode === 'vpa',
    verticalPodAutoscaler(name, { kind: 'Deployment', name: typhaDeployment }, [
      scaled('*', rendering.scaling.typha),
    ]),
  ),
]

const networkPolicy: Rendered<V1NetworkPolicy> = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {
    name: 'gardener.cloud--allow-from-calico-node',
    namespace: systemNamespace,
    labels: originLabels,
    annotations: { 'gardener.cloud/description': 'Allows traffic from calico node\n' },
  },
  spec: {
    podSelector: { matchLabels: labelsOf(name) },
    ingress: [
      {
        from: [{ podSelector: { matchLabels: labelsOf('calico-node') } }],
        ports: [{ port: ports.typha, protocol: 'TCP' }],
      },
    ],
    policyTypes: ['Ingress'],
  },
}

const service: Rendered<V1Service> = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: systemNamespace, labels: labelsOf(name) },
  spec: {
    ports: [{ port: ports.typha, protocol: 'TCP', targetPort: name, name }],
    selector: labelsOf(name),
  },
}

/** Time for Typha to disconnect its clients, in seconds. */
const shutdownSeconds = 300

const deployment = ({ image, addresses, scaling }: CalicoRendering): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: typhaDeployment,
    namespace: systemNamespace,
    labels: { ...labelsOf(name), ...systemComponentLabels },
    ...(scaling.mode !== 'static' && { annotations: preservesResources }),
  },
  spec: {
    revisionHistoryLimit: 2,
    // One may be unavailable, because a single node has the port only once. All new pods start at once, so that clients
    // move once.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '100%' } },
    selector: { matchLabels: labelsOf(name) },
    template: {
      metadata: {
        annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
        labels: { ...reachesAll, ...originLabels, ...systemComponentLabels, ...labelsOf(name) },
      },
      spec: {
        tolerations: everywhere,
        // Typha uses the node's network, because pods have a network only after it runs.
        hostNetwork: true,
        terminationGracePeriodSeconds: shutdownSeconds,
        priorityClassName: 'system-cluster-critical',
        serviceAccountName: name,
        securityContext: { runAsUser: 65534, fsGroup: 65534, supplementalGroups: [1], ...runtimeProfile },
        containers: [
          {
            name,
            image: image('calico-typha'),
            imagePullPolicy: 'IfNotPresent',
            ports: [
              { containerPort: ports.typha, name, protocol: 'TCP' },
              { containerPort: ports.typhaMetrics, name: 'metrics', protocol: 'TCP' },
            ],
            env: [
              ...when(addresses.type === 'host-local', variable('USE_POD_CIDR', 'true')),
              variable('TYPHA_PROMETHEUSMETRICSENABLED', 'true'),
              variable('TYPHA_PROMETHEUSMETRICSPORT', String(ports.typhaMetrics)),
              variable('TYPHA_LOGSEVERITYSCREEN', 'info'),
              variable('TYPHA_LOGFILEPATH', 'none'),
              variable('TYPHA_LOGSEVERITYSYS', 'none'),
              variable('TYPHA_CONNECTIONREBALANCINGMODE', 'kubernetes'),
              variable('TYPHA_DATASTORETYPE', 'kubernetes'),
              variable('TYPHA_HEALTHENABLED', 'true'),
              variable('TYPHA_SHUTDOWNTIMEOUTSECS', String(shutdownSeconds)),
            ],
            resources:
              scaling.mode === 'static'
                ? requests(scaling.typha.cpu ?? '200m', scaling.typha.memory ?? '100Mi')
                : requests('200m', '100Mi'),
            livenessProbe: { ...probe('/liveness'), periodSeconds: 30, initialDelaySeconds: 30 },
            readinessProbe: { ...probe('/readiness'), periodSeconds: 10 },
            securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
          },
        ],
      },
    },
  },
})

const probe = (path: string) => ({ httpGet: { path, port: 9098, host: 'localhost' }, timeoutSeconds: 10 })

import type { V1ConfigMap, V1Deployment } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { systemNamespace, type TextMap } from '../../../../shared/manifests/manifests.ts'
import { type CalicoContainer, type PodFields, requests, runtimeProfile } from '../rendering.ts'

export interface Autoscaler {
  /** The name of the Deployment and the ConfigMap. */
  readonly name: string
  readonly account: string
  /** The label `k8s-app` of the pods. */
  readonly app: string
  readonly image: string
  readonly command: readonly string[]
  /** The key of the configuration and its text. */
  readonly config: { readonly key: string; readonly text: string; readonly checksum: string }
  /** Pod labels in addition to the app label. */
  readonly podLabels: TextMap
  readonly priorityClassName: string
  readonly securityContext: NonNullable<PodFields['securityContext']>
  /** If true, the configuration is mounted as a file instead of being read from the API server. */
  readonly isMounted: boolean
  readonly annotations?: TextMap
}

export const autoscalerConfig = ({ name, config }: Autoscaler): Rendered<V1ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: systemNamespace },
  data: { [config.key]: config.text },
})

/** Scales other workloads by the number of nodes. */
export const autoscalerDeployment = ({
  name,
  account,
  app,
  image,
  command,
  config,
  isMounted,
  annotations,
  ...pod
}: Autoscaler): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    namespace: systemNamespace,
    labels: { 'k8s-app': app },
    ...(annotations && { annotations }),
  },
  spec: {
    revisionHistoryLimit: 2,
    replicas: 1,
    selector: { matchLabels: { 'k8s-app': app } },
    template: {
      metadata: {
        annotations: { [`checksum/configmap-${name}`]: config.checksum },
        labels: { ...pod.podLabels, 'k8s-app': app },
      },
      spec: {
        priorityClassName: pod.priorityClassName,
        securityContext: { runAsNonRoot: true, ...runtimeProfile, ...pod.securityContext },
        // Uses the DNS of the node, because the shoot's DNS requires the pod network.
        dnsPolicy: 'Default',
        containers: [
          {
            name: 'autoscaler',
            image,
            command,
            securityContext: { allowPrivilegeEscalation: false },
            resources: requests('10m', '50Mi'),
            ...(isMounted && mounted),
          },
        ],
        ...(isMounted && { volumes: [{ name: 'config', configMap: { name } }] }),
        serviceAccountName: account,
      },
    },
  },
})

const mounted = {
  volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
} satisfies Partial<CalicoContainer>

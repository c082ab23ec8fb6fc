import type { V1ConfigMap, V1Deployment } from '@kubernetes/client-node'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  deleteOnInvalidUpdate,
  role,
  roleBinding,
  serviceAccount,
  systemNamespace,
} from '../../../../build/library/components.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import {
  type CalicoComponent,
  type CalicoContainer,
  type CalicoRendering,
  originLabels,
  type PodFields,
  reachesAll,
  requests,
  runtimeProfile,
} from '../rendering.ts'
import { typhaDeployment } from '../typha/typha.ts'

/**
 * Checksums equal those of the Go extension's rendered templates, which never change
 * (docs/contract/small-kinds.md#checksums). The configuration texts are exact for the same reason.
 */
const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2)

const flags = ['--logtostderr=true', '--poll-period-seconds=30', '--v=2']
const unprivileged = { runAsUser: 65534, fsGroup: 1, supplementalGroups: [1] }

const nodeVertical = ({ image }: CalicoRendering): Autoscaler => ({
  name: 'calico-node-vertical-autoscaler',
  account: 'calico-node-cpva',
  app: 'calico-node-autoscaler',
  image: image('calico-cpva'),
  command: [
    '/cpvpa',
    '--target=daemonset/calico-node',
    `--namespace=${systemNamespace}`,
    ...flags,
    '--config-file=/etc/config/node-autoscaler',
  ],
  config: {
    key: 'node-autoscaler',
    text: jsonOf({
      'calico-node': {
        requests: { memory: { base: '50Mi', step: '50Mi', nodesPerStep: 10, max: '1400Mi' } },
      },
    }),
    checksum: '9a65d8d800e500d161b6f71c94d595bde22e4298440090ffe84f8825ce4bb68c',
  },
  podLabels: reachesAll,
  priorityClassName: 'system-cluster-critical',
  securityContext: unprivileged,
  isMounted: true,
})

const typhaVertical = ({ image }: CalicoRendering): Autoscaler => ({
  name: 'calico-typha-vertical-autoscaler',
  account: 'typha-cpva',
  app: 'calico-typha-vertical-autoscaler',
  image: image('calico-cpva'),
  command: [
    '/cpvpa',
    `--target=deployment/${typhaDeployment}`,
    `--namespace=${systemNamespace}`,
    ...flags,
    '--config-file=/etc/config/typha-autoscaler',
  ],
  config: {
    key: 'typha-autoscaler',
    text: jsonOf({
      'calico-typha': {
        requests: {
          cpu: { base: '180m', step: '140m', nodesPerStep: 17, max: '1000m' },
          memory: { base: '180Mi', step: '70Mi', nodesPerStep: 17, max: '2000Mi' },
        },
      },
    }),
    checksum: '1ec407391e096737c7426baceded6bc66ee59816db9ee542914d5b8663114017',
  },
  podLabels: { ...reachesAll, ...originLabels },
  priorityClassName: 'gardener-shoot-system-800',
  securityContext: unprivileged,
  isMounted: true,
  annotations: deleteOnInvalidUpdate,
})

/** Replicas of Typha by the number of nodes. */
const replicas = [
  [1, 1],
  [2, 2],
  [100, 3],
  [250, 4],
  [500, 5],
  [1000, 6],
  [1500, 7],
  [2000, 8],
] as const

const ladder = [
  '{',
  '  "coresToReplicas": [],',
  '  "nodesToReplicas":',
  '  [',
  replicas.map(([nodes, count]) => `    [${nodes}, ${count}]`).join(',\n'),
  '  ]',
  '}',
].join('\n')

const typhaHorizontal = ({ image }: CalicoRendering): Autoscaler => ({
  name: 'calico-typha-horizontal-autoscaler',
  account: 'typha-cpha',
  app: 'calico-typha-horizontal-autoscaler',
  image: image('calico-cpa'),
  command: [
    '/cluster-proportional-autoscaler',
    `--namespace=${systemNamespace}`,
    '--configmap=calico-typha-horizontal-autoscaler',
    `--target=deployment/${typhaDeployment}`,
    '--logtostderr=true',
    '--v=2',
  ],
  config: {
    key: 'ladder',
    text: ladder,
    checksum: 'b21ef7275f00076843b06e865267c507dbb7b26b842e4edaa63624878c816a4a',
  },
  podLabels: { ...reachesAll, ...originLabels },
  priorityClassName: 'gardener-shoot-system-800',
  securityContext: { runAsUser: 65532, fsGroup: 65532, supplementalGroups: [65532] },
  isMounted: false,
  annotations: deleteOnInvalidUpdate,
})

/**
 * The nodes always determine the number of Typha replicas. They determine resource requests only if nothing else does.
 */
export const autoscalers: CalicoComponent = rendering => [
  ...(rendering.scaling.mode === 'cluster-proportional'
    ? [
        ...vertical(nodeVertical(rendering), ['deployments', 'daemonsets']),
        ...(rendering.hasTypha ? vertical(typhaVertical(rendering), ['deployments']) : []),
      ]
    : []),
  ...(rendering.hasTypha ? horizontal(typhaHorizontal(rendering)) : []),
]

const groups = ['apps', 'extensions']

const vertical = (autoscaler: Autoscaler, scaled: readonly string[]) => {
  const { account } = autoscaler
  return [
    serviceAccount(systemNamespace, account),
    autoscalerConfig(autoscaler),
    clusterRole(account, [allow('', 'nodes', ['list']), allow(groups, scaled, ['patch'])]),
    clusterRoleBinding({ name: account, account }),
    autoscalerDeployment(autoscaler),
  ]
}

const horizontal = (autoscaler: Autoscaler) => {
  const { account } = autoscaler
  return [
    serviceAccount(systemNamespace, account),
    autoscalerConfig(autoscaler),
    clusterRole(account, [allow('', 'nodes', ['list', 'watch', 'get'])]),
    clusterRoleBinding({ name: account, account }),
    role(systemNamespace, account, [
      allow('', 'configmaps', ['get']),
      allow(groups, 'deployments/scale', ['get', 'update']),
    ]),
    roleBinding(systemNamespace, { name: account, account }),
    autoscalerDeployment(autoscaler),
  ]
}

interface Autoscaler {
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
  readonly podLabels: Readonly<Record<string, string>>
  readonly priorityClassName: string
  readonly securityContext: NonNullable<PodFields['securityContext']>
  /** If true, the configuration is mounted as a file instead of being read from the API server. */
  readonly isMounted: boolean
  readonly annotations?: Readonly<Record<string, string>>
}

const autoscalerConfig = ({ name, config }: Autoscaler): Rendered<V1ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: systemNamespace },
  data: { [config.key]: config.text },
})

/** Scales other workloads by the number of nodes. */
const autoscalerDeployment = ({
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

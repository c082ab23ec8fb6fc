import type { V1DaemonSet } from '@kubernetes/client-node'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  criticalLabels,
  serviceAccount,
  systemComponentLabels,
  systemNamespace,
  when,
} from '../../../../build/library/components.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import { metricsService } from '../metrics-service.ts'
import {
  type CalicoComponent,
  type CalicoRendering,
  everywhere,
  labelsOf,
  ports,
  preservesResources,
  reachesAll,
  runtimeProfile,
} from '../rendering.ts'
import { scaled, unscaled, verticalPodAutoscaler } from '../vertical-pod-autoscaler.ts'
import { configChecksum, configMap } from './config-map.ts'
import { containers } from './containers.ts'
import { initContainers } from './init-containers.ts'
import { volumes } from './volumes.ts'

const nodeName = 'calico-node'
const plugin = 'calico-cni-plugin'

/** Calico on each node, and the CNI plugin that connects pods to its network. */
export const calicoNode: CalicoComponent = rendering => [
  serviceAccount(systemNamespace, plugin),
  serviceAccount(systemNamespace, nodeName),
  configMap(rendering),
  clusterRole(plugin, pluginRules),
  clusterRole(nodeName, nodeRules),
  clusterRoleBinding({ name: plugin, account: plugin }),
  nodeBinding(rendering),
  ...when(rendering.hasBirdExporter, metricsService('calico-bird-monitoring', nodeName, ports.birdMetrics)),
  metricsService('calico-felix-monitoring', nodeName, ports.felixMetrics),
  daemonSet(rendering),
  ...when(
    rendering.scaling.mode === 'vpa',
    verticalPodAutoscaler(nodeName, { kind: 'DaemonSet', name: nodeName }, [
      scaled(nodeName, rendering.scaling.node),
      unscaled('add-snat-rule-to-upstream-dns'),
      unscaled('network-unavailable-condition-ensurer'),
      unscaled('bird-exporter'),
    ]),
  ),
]

/** Typha reads the same objects as calico-node. */
const nodeBinding = ({ hasTypha }: CalicoRendering) => {
  const { subjects = [], ...binding } = clusterRoleBinding({ name: nodeName, account: nodeName })
  const typha = { kind: 'ServiceAccount', name: 'calico-typha', namespace: systemNamespace }
  return { ...binding, subjects: [...subjects, ...when(hasTypha, typha)] }
}

const daemonSet = (rendering: CalicoRendering): Rendered<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: {
    name: nodeName,
    namespace: systemNamespace,
    labels: { ...labelsOf(nodeName), ...systemComponentLabels, ...criticalLabels },
    ...(rendering.scaling.mode !== 'static' && { annotations: preservesResources }),
  },
  spec: {
    revisionHistoryLimit: 2,
    selector: { matchLabels: labelsOf(nodeName) },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    template: {
      metadata: {
        labels: { ...criticalLabels, ...reachesAll, ...labelsOf(nodeName), ...systemComponentLabels },
        annotations: { 'checksum/configmap-calico': configChecksum(rendering) },
      },
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        hostNetwork: true,
        tolerations: everywhere,
        serviceAccountName: nodeName,
        securityContext: runtimeProfile,
        // An old pod is terminated at once, so that the next one can use the node's network soon.
        terminationGracePeriodSeconds: 0,
        priorityClassName: 'system-node-critical',
        initContainers: initContainers(rendering),
        containers: containers(rendering),
        volumes: volumes(rendering),
      },
    },
  },
})

/** The permissions of calico-node and of the CNI plugin in the shoot. */

const calico = 'crd.projectcalico.org'
const read = ['get', 'list', 'watch']
const writeVerbs = ['get', 'list', 'create', 'update', 'delete']

const pluginRules = [
  allow('', ['pods', 'nodes', 'namespaces'], ['get']),
  allow('', 'pods/status', ['patch']),
  allow(
    calico,
    [
      'blockaffinities',
      'ipamblocks',
      'ipamhandles',
      'clusterinformations',
      'ippools',
      'ipreservations',
      'ipamconfigs',
    ],
    writeVerbs,
  ),
]

const nodeRules = [
  allow('', 'serviceaccounts/token', ['create'], 'calico-cni-plugin'),
  allow('', ['pods', 'nodes', 'namespaces'], ['get']),
  allow('discovery.k8s.io', 'endpointslices', ['watch', 'list']),
  allow('', ['endpoints', 'services'], ['watch', 'list', 'get']),
  allow('', 'configmaps', ['get']),
  allow('', 'nodes/status', ['patch', 'update']),
  allow('networking.k8s.io', 'networkpolicies', ['watch', 'list']),
  allow(
    'policy.networking.k8s.io',
    ['adminnetworkpolicies', 'baselineadminnetworkpolicies'],
    ['watch', 'list'],
  ),
  allow('', ['pods', 'namespaces', 'serviceaccounts'], ['list', 'watch']),
  allow('', 'pods/status', ['patch']),
  allow(
    calico,
    [
      'globalfelixconfigs',
      'felixconfigurations',
      'bgppeers',
      'bgpfilters',
      'globalbgpconfigs',
      'bgpconfigurations',
      'ippools',
      'ipreservations',
      'ipamblocks',
      'globalnetworkpolicies',
      'stagedglobalnetworkpolicies',
      'globalnetworksets',
      'networkpolicies',
      'stagednetworkpolicies',
      'stagedkubernetesnetworkpolicies',
      'networksets',
      'clusterinformations',
      'hostendpoints',
      'blockaffinities',
      'caliconodestatuses',
      'tiers',
    ],
    read,
  ),
  allow(calico, 'tiers', ['create']),
  allow(calico, ['ippools', 'felixconfigurations', 'clusterinformations'], ['create', 'update']),
  allow(calico, 'caliconodestatuses', ['update']),
  allow('', 'nodes', read),
  allow(calico, ['bgpconfigurations', 'bgppeers'], ['create', 'update']),
  allow(calico, ['blockaffinities', 'ipamblocks', 'ipamhandles'], writeVerbs),
  allow(calico, 'ipamconfigs', ['get', 'create']),
  allow(calico, 'blockaffinities', ['watch']),
  allow('apps', 'daemonsets', ['get']),
]

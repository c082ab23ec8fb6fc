import type { V1Deployment } from '@kubernetes/client-node'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  podDisruptionBudget,
  serviceAccount,
  systemComponentLabels,
  systemNamespace,
  when,
} from '../../../../build/library/components.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import {
  type CalicoComponent,
  type CalicoRendering,
  labelsOf,
  originLabels,
  reachesAll,
  requests,
  runtimeProfile,
} from '../rendering.ts'
import { scaled, verticalPodAutoscaler } from '../vertical-pod-autoscaler.ts'

const name = 'calico-kube-controllers'
const calico = 'crd.projectcalico.org'
const allVerbs = ['get', 'list', 'create', 'update', 'delete', 'watch']

/** The controllers that clean up after nodes and assign addresses to Services. Not deployed without a backend. */
export const kubeControllers: CalicoComponent = rendering =>
  rendering.hasControllers
    ? [
        podDisruptionBudget(systemNamespace, name, labelsOf(name)),
        serviceAccount(systemNamespace, name),
        clusterRole(name, rules),
        clusterRoleBinding({ name, account: name }),
        deployment(rendering),
        ...when(rendering.hasVpa, verticalPodAutoscaler(name, { kind: 'Deployment', name }, [scaled('*')])),
      ]
    : []

const rules = [
  allow('', 'nodes', ['watch', 'list', 'get']),
  allow('', 'pods', ['get', 'list', 'watch']),
  allow('', 'namespaces', ['get', 'list', 'watch']),
  allow('', ['services', 'services/status'], ['get', 'list', 'update', 'watch']),
  allow(calico, 'ipreservations', ['list']),
  allow(calico, ['blockaffinities', 'ipamblocks', 'ipamhandles', 'ipamconfigs', 'tiers'], allVerbs),
  allow(calico, 'ippools', ['list', 'watch']),
  allow(calico, 'hostendpoints', allVerbs),
  allow(calico, 'clusterinformations', ['get', 'list', 'create', 'update', 'watch']),
  allow(calico, 'kubecontrollersconfigurations', ['get', 'list', 'create', 'update', 'watch']),
]

const check = (flag: string) => ({
  exec: { command: ['/usr/bin/check-status', flag] },
  periodSeconds: 10,
  timeoutSeconds: 10,
})

const deployment = ({ image }: CalicoRendering): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: systemNamespace, labels: { ...labelsOf(name), ...systemComponentLabels } },
  spec: {
    // Only one replica may be active.
    replicas: 1,
    revisionHistoryLimit: 2,
    selector: { matchLabels: labelsOf(name) },
    strategy: { type: 'Recreate' },
    template: {
      metadata: {
        name,
        namespace: systemNamespace,
        labels: { ...reachesAll, ...originLabels, ...labelsOf(name), ...systemComponentLabels },
      },
      spec: {
        tolerations: [{ effect: 'NoSchedule', operator: 'Exists' }],
        serviceAccountName: name,
        priorityClassName: 'system-cluster-critical',
        // Uses the DNS of the node, because the shoot's DNS requires the pod network.
        dnsPolicy: 'Default',
        securityContext: runtimeProfile,
        containers: [
          {
            name,
            image: image('calico-kube-controllers'),
            env: [
              { name: 'ENABLED_CONTROLLERS', value: 'node,loadbalancer' },
              { name: 'DATASTORE_TYPE', value: 'kubernetes' },
            ],
            resources: requests('10m', '50Mi'),
            livenessProbe: { ...check('-l'), initialDelaySeconds: 10, failureThreshold: 6 },
            readinessProbe: check('-r'),
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: false,
              runAsNonRoot: true,
            },
          },
        ],
      },
    },
  },
})

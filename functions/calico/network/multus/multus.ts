import type { V1DaemonSet } from '@kubernetes/client-node'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  criticalLabels,
  networkLabels,
  serviceAccount,
  systemComponentLabels,
  systemNamespace,
  when,
} from '../../../../build/library/components.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import {
  type CalicoComponent,
  type CalicoContainer,
  type CalicoRendering,
  everywhere,
  hostVolume,
  labelsOf,
  requests,
  runtimeProfile,
} from '../rendering.ts'

const name = 'multus'
const binaries = { name: 'cnibin', mountPath: '/host/opt/cni/bin' }
const privileged = { privileged: true }

/** Multus attaches pods to more networks than Calico's. */
export const multus: CalicoComponent = rendering =>
  when(
    rendering.multus.enabled,
    serviceAccount(systemNamespace, name),
    clusterRole(name, [
      allow('k8s.cni.cncf.io', '*', ['*']),
      allow('', ['pods', 'pods/status'], ['get', 'list', 'update', 'watch']),
      allow(['', 'events.k8s.io'], 'events', ['create', 'patch', 'update']),
    ]),
    clusterRoleBinding({ name, account: name }),
    daemonSet(rendering),
  )

/** Plugins that Calico installs itself. */
const calicos = ['host-local', 'portmap', 'loopback', 'tuning']

const installers = ({ image, multus: { installsPlugins } }: CalicoRendering): readonly CalicoContainer[] => {
  const common = {
    resources: requests('10m', '15Mi'),
    volumeMounts: [binaries],
    securityContext: privileged,
  }
  const others = calicos.map(plugin => `! -name '${plugin}'`).join(' ')
  return [
    {
      name: 'install-multus-cni',
      image: image('multus-cni'),
      command: ['/install_multus'],
      args: ['--type', 'thin'],
      ...common,
    },
    ...when<CalicoContainer>(installsPlugins, {
      name: 'install-cni-plugins',
      image: image('cni-plugins'),
      command: ['/bin/sh'],
      args: ['-c', `find /usr/src/cni/bin -maxdepth 1 -type f ${others} -exec cp {} /host/opt/cni/bin/ \\;`],
      ...common,
    }),
  ]
}

const daemonSet = (rendering: CalicoRendering): Rendered<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: {
    name,
    namespace: systemNamespace,
    labels: { ...labelsOf(name), ...systemComponentLabels, ...criticalLabels },
  },
  spec: {
    revisionHistoryLimit: 2,
    selector: { matchLabels: labelsOf(name) },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    template: {
      metadata: {
        labels: {
          ...criticalLabels,
          ...networkLabels.toApiServer,
          ...networkLabels.toDns,
          ...labelsOf(name),
          ...systemComponentLabels,
        },
      },
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        hostNetwork: true,
        tolerations: everywhere,
        serviceAccountName: name,
        securityContext: runtimeProfile,
        terminationGracePeriodSeconds: 0,
        priorityClassName: 'system-node-critical',
        initContainers: installers(rendering),
        containers: [
          {
            name,
            image: rendering.image('multus-cni'),
            command: ['/thin_entrypoint'],
            args: [
              '--cleanup-config-on-exit',
              '--cni-bin-dir=/host/opt/cni/bin',
              '--cni-conf-dir=/host/etc/cni/net.d',
              '--cni-version=0.3.1',
              '--multus-autoconfig-dir=/host/etc/cni/net.d',
              '--multus-cni-conf-dir=/etc/cni/multus/net.d',
              '--multus-conf-file=auto',
              '--multus-log-file=/var/log/multus.log',
              '--multus-log-level=error',
              '--multus-log-to-stderr=true',
              '--multus-master-cni-file-name=10-calico.conflist',
              '--readiness-indicator-file=/etc/cni/net.d/10-calico.conflist',
            ],
            securityContext: privileged,
            resources: requests('100m', '200Mi'),
            env: [{ name: 'MULTUS_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
            volumeMounts: [{ name: 'cni', mountPath: '/host/etc/cni/net.d' }, binaries],
          },
        ],
        volumes: [hostVolume('cni', '/etc/cni/net.d'), hostVolume('cnibin', '/opt/cni/bin')],
      },
    },
  },
})

import type { CalicoContainer, CalicoRendering } from '../rendering.ts'
import { ports, requests, variable, when } from '../rendering.ts'
import { ensurerEnvironment, nodeEnvironment } from './environment.ts'
import { ensureCondition, snatToUpstreamDns } from './scripts.ts'
import { endpointOverwrite } from './variables.ts'
import { mounts } from './volumes.ts'

const pullPolicy = 'IfNotPresent'

const unprivileged = (...capabilities: readonly string[]) => ({
  privileged: false,
  allowPrivilegeEscalation: false,
  capabilities: { add: capabilities },
})

const snat = ({ image, isUnprivileged, podRange }: CalicoRendering): CalicoContainer => ({
  name: 'add-snat-rule-to-upstream-dns',
  image: image('calico-node'),
  imagePullPolicy: pullPolicy,
  securityContext: isUnprivileged ? unprivileged('NET_ADMIN') : { privileged: true },
  env: [variable('POD_CIDR', podRange)],
  command: ['/bin/sh', '-c', snatToUpstreamDns],
  volumeMounts: [mounts.lock],
})

const conditionEnsurer = (rendering: CalicoRendering): CalicoContainer => ({
  name: 'network-unavailable-condition-ensurer',
  image: rendering.image('calico-node'),
  imagePullPolicy: pullPolicy,
  securityContext: { privileged: false, allowPrivilegeEscalation: false },
  env: ensurerEnvironment(rendering),
  command: ['/bin/bash', '-c', ensureCondition],
})

const probe = (rendering: CalicoRendering, what: 'live' | 'ready') => ({
  exec: {
    command: ['/bin/calico-node', `-felix-${what}`, ...when(rendering.backend === 'bird', `-bird-${what}`)],
  },
  periodSeconds: 10,
  timeoutSeconds: 10,
})

const calicoNode = (rendering: CalicoRendering): CalicoContainer => {
  const { image, isUnprivileged, hasEbpf, scaling } = rendering
  const folders = isUnprivileged ? [mounts.run, mounts.lib, mounts.log] : [mounts.runCalico, mounts.libCalico]
  return {
    name: 'calico-node',
    image: image('calico-node'),
    envFrom: endpointOverwrite,
    ports: [{ containerPort: ports.felixMetrics, name: 'metrics', protocol: 'TCP' }],
    env: nodeEnvironment(rendering),
    securityContext: isUnprivileged
      ? { runAsUser: 999, runAsGroup: 0, ...unprivileged('NET_RAW', 'NET_ADMIN', 'NET_BIND_SERVICE') }
      : { privileged: true },
    resources: requests(scaling.node.cpu ?? '250m', scaling.node.memory ?? '100Mi'),
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    livenessProbe: { ...probe(rendering, 'live'), initialDelaySeconds: 10, failureThreshold: 6 },
    readinessProbe: probe(rendering, 'ready'),
    volumeMounts: [
      { ...mounts.cniConfig, readOnly: false },
      mounts.modules,
      mounts.lock,
      ...folders.map(mount => ({ ...mount, readOnly: false })),
      mounts.policySync,
      ...when(hasEbpf, mounts.bpf),
      mounts.cniLog,
    ],
  }
}

const birdExporter = ({ image, ipv6 }: CalicoRendering): CalicoContainer => ({
  name: 'bird-exporter',
  image: image('bird-exporter'),
  args: [
    '-format.new=true',
    '-bird.socket=/var/run/calico/bird.ctl',
    ...when(ipv6 === undefined, '-bird.ipv6=false'),
    `-web.listen-address=:${ports.birdMetrics}`,
  ],
  resources: requests('10m', '32Mi'),
  volumeMounts: [{ ...mounts.runCalico, readOnly: true }],
  ports: [{ containerPort: ports.birdMetrics, name: 'bird-metrics', protocol: 'TCP' }],
})

/** The containers on every node. */
export const containers = (rendering: CalicoRendering): readonly CalicoContainer[] => [
  ...when(rendering.snatToUpstreamDns, snat(rendering)),
  ...when(rendering.backend !== 'none', conditionEnsurer(rendering)),
  calicoNode(rendering),
  // Its socket is in a directory that an unprivileged calico-node does not have.
  ...when(rendering.hasBirdExporter && !rendering.isUnprivileged, birdExporter(rendering)),
]

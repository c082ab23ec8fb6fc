import { when } from '../../../../build/library/components.ts'
import { type CalicoRendering, type CalicoVolume, hostVolume } from '../rendering.ts'

/** Directories of the node and their mount paths in containers. */

export const mounts = {
  cniConfig: { name: 'cni-net-dir', mountPath: '/host/etc/cni/net.d' },
  secondaryBinaries: { name: 'cni-bin-dir', mountPath: '/host/secondary-bin-dir' },
  cniLog: { name: 'cni-log-dir', mountPath: '/var/log/calico/cni', readOnly: true },
  modules: { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
  lock: { name: 'xtables-lock', mountPath: '/run/xtables.lock', readOnly: false },
  runCalico: { name: 'var-run-calico', mountPath: '/var/run/calico' },
  libCalico: { name: 'var-lib-calico', mountPath: '/var/lib/calico' },
  run: { name: 'var-run', mountPath: '/var/run' },
  lib: { name: 'var-lib', mountPath: '/var/lib' },
  log: { name: 'var-log', mountPath: '/var/log' },
  policySync: { name: 'policysync', mountPath: '/var/run/nodeagent' },
  sysFs: { name: 'sys-fs', mountPath: '/sys/fs' },
  bpf: { name: 'bpffs', mountPath: '/sys/fs/bpf' },
  processes: { name: 'nodeproc', mountPath: '/nodeproc' },
} as const

export const volumes = ({ isUnprivileged, hasEbpf }: CalicoRendering): readonly CalicoVolume[] => [
  hostVolume('lib-modules', '/lib/modules'),
  ...(isUnprivileged
    ? [
        hostVolume('var-run', '/var/run'),
        hostVolume('var-lib', '/var/lib'),
        hostVolume('var-log', '/var/log'),
      ]
    : [
        hostVolume('var-run-calico', '/var/run/calico', 'DirectoryOrCreate'),
        hostVolume('var-lib-calico', '/var/lib/calico', 'DirectoryOrCreate'),
      ]),
  hostVolume('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
  ...when(
    hasEbpf,
    hostVolume('sys-fs', '/sys/fs/', 'DirectoryOrCreate'),
    hostVolume('bpffs', '/sys/fs/bpf', 'Directory'),
    hostVolume('nodeproc', '/proc'),
  ),
  hostVolume('cni-bin-dir', '/opt/cni/bin', 'DirectoryOrCreate'),
  hostVolume('cni-net-dir', '/etc/cni/net.d'),
  hostVolume('cni-log-dir', '/var/log/calico/cni'),
  hostVolume('policysync', '/var/run/nodeagent', 'DirectoryOrCreate'),
]

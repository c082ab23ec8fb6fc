import {
  checkedVersion,
  containerdSetUp,
  memoryOneConfig,
  memoryOneUserData,
  type OperatingSystem,
  once,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { inPlaceUpdateScript } from './in-place-update-script.ts'

const memoryOneGroup = 'memoryone-gardenlinux.os.extensions.gardener.cloud'

/** Garden Linux, with and without vSMP memory (docs/contract/small-kinds.md#flavours). */
export const gardenLinux: OperatingSystem = {
  userData: ({ object, parts: { files, units, starts } }) => {
    const script = once(
      `#!/bin/bash\n${containerdSetUp('/usr/bin/containerd')}${files}\n${units}\n${afterUnits}${starts}`,
    )
    if (object.spec.type !== 'memoryone-gardenlinux') return script
    const config = memoryOneConfig(object, memoryOneGroup)
    const settings =
      config === undefined
        ? ''
        : `\nsystem_memory=${config.systemMemory || '6x'}\nmem_topology=${config.memoryTopology || '2'}`
    return memoryOneUserData({ settings, script, gap: '', end: '' })
  },
  additions: ({ object: { spec } }) => ({
    units: [containerdLimits],
    ...(spec.inPlaceUpdates && {
      files: [updateFile],
      inPlaceUpdates: {
        osUpdate: { command: updateFile.path, args: [releaseOf(spec.inPlaceUpdates.operatingSystemVersion)] },
      },
    }),
  }),
}

const afterUnits = `grep -sq "^nfsd$" /etc/modules || echo "nfsd" >>/etc/modules
modprobe nfsd
nslookup $(hostname) || systemctl restart systemd-networkd

systemctl daemon-reload
systemctl enable containerd && systemctl restart containerd
`

const containerdLimits = {
  name: 'containerd.service',
  dropIns: [{ name: 'override.conf', content: '[Service]\nLimitMEMLOCK=67108864\nLimitNOFILE=1048576' }],
}

const updateFile = {
  path: '/opt/gardener/bin/inplace-update.sh',
  permissions: 0o755,
  content: {
    inline: { encoding: 'b64' as const, data: Buffer.from(inPlaceUpdateScript).toString('base64') },
  },
}

/**
 * Returns Garden Linux's name of a version, without the suffix that a CloudProfile may add: `1.2.3-foo.4` → `1.2.3`.
 */
const releaseOf = (version: string): string =>
  checkedVersion(checkedVersion(version).replace(/^v/, '').split(/[-+]/, 1)[0] ?? '')

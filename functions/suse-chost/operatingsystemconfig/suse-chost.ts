import { CodedError } from '../../../shared/contract/errors.ts'
import { minorVersionOf } from '../../../shared/contract/minor-version-of.ts'
import type { Cluster, File } from '../../../shared/contract/objects.ts'
import { shown } from '../../../shared/decode/problems.ts'
import {
  memoryOneConfig,
  memoryOneUserData,
  type OperatingSystem,
  once,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { afterUnits, beforeFiles } from './script.ts'
import { vsmpSettings } from './vsmp-settings.ts'

const memoryOneGroup = 'memoryone-chost.os.extensions.gardener.cloud'

/** SUSE CHost, with and without vSMP memory (docs/contract/small-kinds.md#flavours). */
export const suseChost: OperatingSystem = {
  userData: ({ object, parts: { files, units, starts } }) => {
    const script = once(`#!/bin/bash\n${beforeFiles}${files}\n${units}\n${afterUnits}${starts}`)
    if (object.spec.type !== 'memoryone-chost') return script
    const settings = `\n\n${vsmpSettings(memoryOneConfig(object, memoryOneGroup))}`
    return memoryOneUserData({ settings, script, gap: '\n', end: '--\n' })
  },
  additions: ({ cluster }) => ({
    files: [routerAdvertisements, ...(needsOldControlGroups(cluster) ? [kubeletArguments] : [])],
  }),
}

const plainFile = (path: string, data: string): File => ({
  path,
  permissions: 0o644,
  content: { inline: { encoding: '', data } },
})

/** Without it, a machine that forwards packets, as every node does, loses its IPv6 default route. */
const routerAdvertisements = plainFile(
  '/etc/sysctl.d/98-enable-ipv6-ra.conf',
  `# enables IPv6 router advertisements on all interfaces even when ip forwarding for IPv6 is enabled
net.ipv6.conf.all.accept_ra = 2

# specifically enable IPv6 router advertisements on the first ethernet interface (eth0 for net.ifnames=0)
net.ipv6.conf.eth0.accept_ra = 2
`,
)

const kubeletArguments = plainFile(
  '/var/lib/kubelet/extra_args',
  'KUBELET_EXTRA_ARGS=--fail-cgroupv1=false\n',
)

/**
 * Returns true if the kubelet refuses cgroup v1, which CHost has, and has a flag to allow it. Since 1.35 the kubelet
 * refuses by default. The flag is older, and may be removed from 1.38 on.
 */
const needsOldControlGroups = (cluster: Cluster | undefined): boolean => {
  const version = cluster?.spec.shoot.spec?.kubernetes?.version ?? undefined
  if (version === undefined) return false
  try {
    const { major, minor } = minorVersionOf(version)
    return major === 1 && minor >= 35 && minor < 38
  } catch (error) {
    throw new CodedError(`spec.kubernetes.version of the shoot: ${shown(version)} is not a version`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      cause: error,
    })
  }
}

import { configurationProblem } from '../../../shared/contract/errors.ts'
import { minorVersionOf } from '../../../shared/contract/minor-version-of.ts'
import type { Cluster, File } from '../../../shared/contract/objects.ts'
import { shown } from '../../../shared/decode/problems.ts'
import {
  memoryOneConfig,
  memoryOneUserData,
  type OperatingSystem,
  once,
} from '../../../shared/operating-system-config/operating-system-config.ts'
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
    throw configurationProblem(
      `spec.kubernetes.version of the shoot: ${shown(version)} is not a version`,
      error,
    )
  }
}

/** Runs before the files are written: configures containerd and removes its conflict with Docker. */
const beforeFiles = `CONTAINERD_CONFIG_PATH=/etc/containerd/config.toml
if [[ ! -s "\${CONTAINERD_CONFIG_PATH}" || $(cat \${CONTAINERD_CONFIG_PATH}) == "# See containerd-config.toml(5) for documentation." ]]; then
  mkdir -p /etc/containerd
  containerd config default > "\${CONTAINERD_CONFIG_PATH}"
  chmod 0644 "\${CONTAINERD_CONFIG_PATH}"
fi

# refer to https://github.com/gardener/gardener-extension-os-suse-chost/tree/master/docs/systemd-units.md
if systemctl show containerd -p Conflicts | grep -q docker; then
  cp /usr/lib/systemd/system/containerd.service /etc/systemd/system/containerd.service
  sed -re 's/Conflicts=(.*)(docker.service|docker)(.*)/Conflicts=\\1 \\3/g' -i /etc/systemd/system/containerd.service
fi

mkdir -p /etc/systemd/system/containerd.service.d
cat <<EOF > /etc/systemd/system/containerd.service.d/11-exec_config.conf
[Service]
ExecStart=
ExecStart=/usr/sbin/containerd --config=\${CONTAINERD_CONFIG_PATH}
EOF
chmod 0644 /etc/systemd/system/containerd.service.d/11-exec_config.conf
`

/**
 * Runs after the units are written: packages, programs at the expected paths, containerd instead of Docker, and a
 * persistent journal.
 */
const afterUnits = `
until zypper -q install -y wget socat jq nfs-client; [ $? -ne 7 ]; do sleep 1; done
ln -s /bin/ip /usr/bin/ip
if [ ! -s /etc/hostname ]; then hostname > /etc/hostname; fi
systemctl daemon-reload
ln -s /usr/sbin/containerd-ctr /usr/sbin/ctr
systemctl enable containerd && systemctl restart containerd

systemctl disable docker && systemctl stop docker || echo "No docker service to disable or stop"

# Set journald storage to persistent such that logs are written to /var/log instead of /run/log
if [[ ! -f /etc/systemd/journald.conf.d/10-use-persistent-log-storage.conf ]]; then
  mkdir -p /etc/systemd/journald.conf.d
  cat <<EOF > /etc/systemd/journald.conf.d/10-use-persistent-log-storage.conf
[Journal]
Storage=persistent
EOF
  systemctl restart systemd-journald
fi

`

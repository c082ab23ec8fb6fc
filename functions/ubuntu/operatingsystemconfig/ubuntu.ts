import {
  containerdSetUp,
  type OperatingSystem,
  once,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { aptCloudConfig, cloudConfigArchive } from './cloud-config-archive.ts'
import type { ExtensionConfig } from './extension-config.ts'
import { timeClient } from './time-client.ts'

/** Ubuntu, with the settings of an operator (docs/contract/small-kinds.md#flavours). */
export const ubuntu = ({ ntp, apt, disableUnattendedUpgrades }: ExtensionConfig): OperatingSystem => {
  const afterUnits = `${packages}\n${containerdSetUp('/usr/bin/containerd')}${disableUnattendedUpgrades ? noUpgrades : ''}\n${startContainerd}`
  const aptParts = apt ? [{ type: 'text/cloud-config' as const, content: aptCloudConfig(apt) }] : []
  const time = timeClient(ntp)
  return {
    userData: ({ parts: { files, units, starts } }) =>
      cloudConfigArchive([
        {
          type: 'text/x-shellscript',
          content: once(`#!/bin/bash\n${networking}${files}\n${units}\n${afterUnits}${starts}`),
        },
        ...aptParts,
      ]),
    additions: () => ({ units: [time.unit, kubeletUnit], files: [...time.files, resolverScript] }),
  }
}

/** cloud-init does not change the network of the machine. */
const networking = `mkdir -p /etc/cloud/cloud.cfg.d/
cat <<EOF > /etc/cloud/cloud.cfg.d/custom-networking.cfg
network:
  config: disabled
EOF
chmod 0644 /etc/cloud/cloud.cfg.d/custom-networking.cfg
`

const packages =
  'until apt-get update -qq && apt-get install --no-upgrade -qqy containerd runc socat nfs-common logrotate jq policykit-1; do sleep 1; done\n'

const noUpgrades = `
mkdir -p /etc/apt/apt.conf.d
cat <<EOF > /etc/apt/apt.conf.d/99-auto-upgrades.conf
APT::Periodic::Unattended-Upgrade "0";
EOF
chmod 0644 /etc/apt/apt.conf.d/99-auto-upgrades.conf
`

const startContainerd =
  'systemctl daemon-reload\nsystemctl enable containerd && systemctl restart containerd\n'

/** The kubelet gives pods the resolver's own file, not the one that names the machine itself. */
const resolverScript = {
  path: '/opt/gardener/bin/configure_kubelet_resolv_conf.sh',
  permissions: 0o755,
  content: {
    inline: {
      encoding: '' as const,
      data: `#!/bin/bash
if grep -q 'resolvConf: /etc/resolv.conf' /var/lib/kubelet/config/kubelet; then
  sed -i -e 's|resolvConf: /etc/resolv.conf|resolvConf: /run/systemd/resolve/resolv.conf|g' /var/lib/kubelet/config/kubelet;
fi
`,
    },
  },
}

const kubeletUnit = {
  name: 'kubelet.service',
  dropIns: [
    { name: '10-configure-resolv-conf.conf', content: `[Service]\nExecStartPre=${resolverScript.path}\n` },
  ],
  filePaths: [resolverScript.path],
}

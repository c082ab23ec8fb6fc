import type { NodeChanges } from '../../../../shared/webhooks/components/webhooks.ts'

/** `0755`, as OperatingSystemConfigs write it. */
export const executable = 493

const script = '/opt/bin/mtu-customizer.sh'

/**
 * Networks between VPCs carry packets of at most 1500 bytes, some of them less. The nodes send small ones from the
 * start.
 */
export const mtuScript: NonNullable<NodeChanges['files']>[number] = {
  path: script,
  permissions: executable,
  content: {
    inline: {
      encoding: '',
      data: `#!/bin/sh

for interface_path in $(find /sys/class/net  -type l -print)
do
	interface=$(basename \${interface_path})

	if ls -l \${interface_path} | grep -q virtual
	then
		echo skipping virtual interface: \${interface}
		continue
	fi

	echo changing mtu of non-virtual interface: \${interface}
	ip link set dev \${interface} mtu 1460
done
`,
    },
  },
}

export const mtuUnit: NonNullable<NodeChanges['units']>[number] = {
  name: 'custom-mtu.service',
  enable: true,
  command: 'start',
  content: `[Unit]
Description=Apply a custom MTU to network interfaces
After=network.target
Wants=network.target

[Install]
WantedBy=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${script}
`,
}

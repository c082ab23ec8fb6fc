import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { NodeChanges } from '../../../../shared/webhooks/components/webhooks.ts'
import { cloudProfileConfigOf } from '../cloud-profile.ts'

/** `0755`, as OperatingSystemConfigs write it. */
const executable = 493

const source = '/run/systemd/resolve/resolv.conf'
const resolvConf = '/etc/resolv-for-kubelet.conf'
const script = '/opt/bin/update-resolv-conf.sh'

/**
 * Returns the changes for nodes on OpenStack. Throws a `CodedError`. The kubelet reads a copy of `resolv.conf` with the
 * options of the CloudProfile, which a unit renews.
 */
export const nodeChanges = (cluster: Cluster): NodeChanges => {
  const { resolvConfOptions: options } = cloudProfileConfigOf(cluster)
  return {
    kubelet: {
      flags: [['--cloud-provider', 'external']],
      // The quotes are the Go extension's. A shell reads them as one word, so the names of nodes are the same.
      startPre: "/bin/sh -c 'hostnamectl set-hostname $(cat /etc/hostname | cut -d '.' -f 1)'",
      fields: { enableControllerAttachDetach: true, resolvConf },
    },
    files: [
      {
        path: script,
        permissions: executable,
        content: {
          inline: {
            encoding: '',
            data: scriptWith(options.length === 0 ? '' : `options ${options.join(' ')}`),
          },
        },
      },
    ],
    units: [pathUnit, serviceUnit],
  }
}

const pathUnit: NonNullable<NodeChanges['units']>[number] = {
  name: 'update-resolv-conf.path',
  enable: true,
  content: `[Path]
PathChanged=${source}

[Install]
WantedBy=multi-user.target
`,
}

const serviceUnit: NonNullable<NodeChanges['units']>[number] = {
  name: 'update-resolv-conf.service',
  enable: true,
  content: `[Unit]
Description=update ${resolvConf} on start and after each change of ${source}
After=network.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${script}
`,
}

/** Identical to the bytes of the Go extension: any difference would change the files of every node. */
const scriptWith = (line: string): string => `#!/bin/sh

tmp=${resolvConf}.new
dest=${resolvConf}
line=${JSON.stringify(line)}

is_systemd_resolved_system()
{
    if [ -f ${source} ]; then
      return 0
    else
      return 1
    fi
}

rm -f "$tmp"
if is_systemd_resolved_system; then
  while ! grep -Eq "^nameserver\\s+" ${source}; do
    echo "${source} does not contain a nameserver line, delaying update..."
    sleep 15
  done
  if [ "$line" = "" ]; then
    ln -s ${source} "$tmp"
  else
    cp ${source} "$tmp"
    echo "" >> "$tmp"
    echo "# updated by update-resolv-conf.service (installed by gardener-extension-provider-openstack)" >> "$tmp"
    echo "$line" >> "$tmp"
  fi
else
  ln -s /etc/resolv.conf "$tmp"
fi
mv "$tmp" "$dest" && echo updated "$dest"
`

import {
  checkedVersion,
  containerdSetUp,
  memoryOneConfig,
  memoryOneUserData,
  type OperatingSystem,
  once,
} from '../../../shared/operating-system-config/operating-system-config.ts'

/** Requests a version from Garden Linux' own tool and boots into it. */
const inPlaceUpdateScript = `#!/bin/bash

set -Eeuo pipefail

if [ "$#" -ne 1 ]; then
    echo "Usage: $0 <version>"
    exit 1
fi

VERSION=$1
flags=()

if [[ -f /etc/gardenlinux/usirepo.conf ]]; then
    REPO=$(< /etc/gardenlinux/usirepo.conf)
    flags=(--repo "$REPO")
fi

if gardenlinux-update "\${flags[@]}" "$VERSION"; then
    echo "exit status 0: success"
    reboot
else
    EXIT_CODE=$?

    case "$EXIT_CODE" in
        1)
            echo "exit status 1: invalid arguments"
            ;;
        2)
            echo "exit status 2: system failure"
            ;;
        3)
            echo "exit status 3: network problems"
            ;;
        *)
            echo "exit status $EXIT_CODE: unknown error"
            ;;
    esac

    exit "$EXIT_CODE"
fi
`

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

import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { formatProblems } from '../../../../shared/decode/problems.ts'
import { findImage, type ImageSource } from '../../../../shared/images/images.ts'
import { kubeletVersion, type NodeChanges } from '../../../../shared/webhooks/components/webhooks.ts'
import {
  decodeConfig,
  type InfrastructureConfig,
} from '../../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'

/** `0755`, as OperatingSystemConfigs write it. */
const executable = 493

/** Returns the changes for nodes on AWS (docs/contract/webhooks.md#operatingsystemconfig). Throws a `CodedError`. */
export const nodeChanges = (
  cluster: Cluster,
  labels: Readonly<Record<string, string>> | null | undefined,
  images: readonly ImageSource[],
): NodeChanges => {
  const config = infrastructureConfigOf(cluster)
  const hasMtu = config !== undefined && config.enableMTUCustomizer !== false
  const hasRegistry = config !== undefined && config.enableECRAccess !== false
  return {
    kubelet: {
      flags: [['--cloud-provider', 'external'], ...(hasRegistry ? credentialProviderFlags : [])],
      startPre: "/bin/sh -c 'hostnamectl set-hostname $(hostname -f)'",
      fields: { enableControllerAttachDetach: true },
    },
    sysctl: {
      name: 'net.ipv4.neigh.default.gc_thresh1',
      value: '0',
      comments: ['AWS specific settings', 'See https://github.com/kubernetes/kubernetes/issues/23395'],
    },
    files: [
      ...(hasMtu ? [mtuScript] : []),
      ...(hasRegistry
        ? [
            credentialProviderBinary(
              findImage(images, 'ecr-credential-provider', kubeletVersion(labels, cluster)),
            ),
            credentialProviderConfig,
          ]
        : []),
    ],
    units: hasMtu ? [mtuUnit] : [],
  }
}

/** Undefined if the shoot has none. Its nodes then have neither option. */
const infrastructureConfigOf = ({ spec: { shoot } }: Cluster): InfrastructureConfig | undefined => {
  const value: unknown = shoot.spec?.provider?.infrastructureConfig
  if (value === undefined || value === null) return undefined
  const decoded = decodeConfig(value)
  if (decoded.ok) return decoded.config
  const { namespace = '', name = '' } = shoot.metadata ?? {}
  throw configurationProblem(
    `could not decode infrastructureConfig of shoot '${namespace}/${name}': ${formatProblems(decoded.problems)}`,
  )
}

/*
 * A kubelet pulls images from ECR with the node's own identity, through a credential provider program
 * (docs/contract/webhooks.md#operatingsystemconfig).
 */

const name = 'ecr-credential-provider'
const folder = '/opt/bin/'
const configFile = '/opt/gardener/ecr-credential-provider-config.json'

const credentialProviderFlags: readonly (readonly [name: string, value: string])[] = [
  ['--image-credential-provider-config', configFile],
  ['--image-credential-provider-bin-dir', folder],
]

const credentialProviderBinary = (image: string): NonNullable<NodeChanges['files']>[number] => ({
  path: `${folder}${name}`,
  permissions: executable,
  content: { imageRef: { image, filePathInImage: `/bin/${name}` } },
})

/** Identical to the bytes of the Go extension: any difference would restart the kubelet of every node. */
const credentialProviderConfig: NonNullable<NodeChanges['files']>[number] = {
  path: configFile,
  permissions: executable,
  content: {
    inline: {
      encoding: '',
      data: JSON.stringify({
        kind: 'CredentialProviderConfig',
        apiVersion: 'kubelet.config.k8s.io/v1',
        providers: [
          {
            name,
            matchImages: [
              '*.dkr.ecr.*.amazonaws.com',
              '*.dkr.ecr.*.amazonaws.com.cn',
              '*.dkr.ecr-fips.*.amazonaws.com',
              '*.dkr-ecr.*.on.aws',
            ],
            defaultCacheDuration: '1h0m0s',
            apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
          },
        ],
      }),
    },
  },
}

const script = '/opt/bin/mtu-customizer.sh'

/**
 * Networks between VPCs carry packets of at most 1500 bytes, some of them less. The nodes send small ones from the
 * start.
 */
const mtuScript: NonNullable<NodeChanges['files']>[number] = {
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

const mtuUnit: NonNullable<NodeChanges['units']>[number] = {
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

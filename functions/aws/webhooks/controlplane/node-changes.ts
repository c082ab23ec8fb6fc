import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { formatProblems } from '../../../../shared/decode/problems.ts'
import { kubeletVersion, type NodeChanges } from '../../../../shared/webhooks/components/webhooks.ts'
import {
  decodeConfig,
  type InfrastructureConfig,
} from '../../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import { findImage, type ImageSource } from '../../controlplane/images/images.ts'
import {
  credentialProviderBinary,
  credentialProviderConfig,
  credentialProviderFlags,
} from './credential-provider.ts'
import { mtuScript, mtuUnit } from './mtu.ts'

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
  throw new CodedError(
    `could not decode infrastructureConfig of shoot '${namespace}/${name}': ${formatProblems(decoded.problems)}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}

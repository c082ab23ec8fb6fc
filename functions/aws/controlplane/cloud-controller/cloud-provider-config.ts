import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'

export const cloudProviderConfigName = 'cloud-provider-config'
export const cloudProviderConfigFile = 'cloudprovider.conf'

/** Configuration of the cloud controller manager (docs/contract/control-plane.md#configmap-cloud-provider-config). */
export const cloudProviderConfig = (values: ControlPlaneValues) =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: cloudProviderConfigName, namespace: values.namespace },
    data: {
      [cloudProviderConfigFile]: linesOf(values)
        .map(line => `${line}\n`)
        .join(''),
    },
  }) satisfies Rendered<V1ConfigMap>

/** The checksum covers all of it, including the comment. */
const linesOf = ({ namespace, infrastructure, networking }: ControlPlaneValues): readonly string[] => [
  '[Global]',
  `VPC="${infrastructure.vpcId}"`,
  `SubnetID="${infrastructure.subnet.id}"`,
  'DisableSecurityGroupIngress=true',
  `KubernetesClusterTag="${namespace}"`,
  `KubernetesClusterID="${namespace}"`,
  `Zone="${infrastructure.subnet.zone}"`,
  '# https://github.com/kubernetes/cloud-provider-aws/issues/638',
  // In this order regardless of the shoot's order: the first family is that of the nodes' first address.
  ...['IPv4', 'IPv6']
    .filter(family => networking.ipFamilies.includes(family))
    .map(family => `NodeIPFamilies="${family.toLowerCase()}"`),
]

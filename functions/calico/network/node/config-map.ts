import { createHash } from 'node:crypto'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { systemNamespace } from '../../../../build/library/components.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import type { CalicoValues } from '../input/calico-values.ts'

const configName = 'calico-config'

type ConfigValues = Pick<CalicoValues, 'backend' | 'mtu' | 'hasTypha' | 'addresses'>

export const configMap = (values: ConfigValues): Rendered<V1ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: configName, namespace: systemNamespace },
  data: {
    typha_service_name: typhaService(values),
    calico_backend: values.backend,
    veth_mtu: values.mtu,
    cni_network_config: pluginConfig(values).join('\n'),
  },
})

/** Returns the environment variable that reads this key. */
export const fromConfig = (name: string, key: string) => ({
  name,
  valueFrom: { configMapKeyRef: { name: configName, key } },
})

const typhaService = ({ hasTypha }: ConfigValues): string => (hasTypha ? 'calico-typha' : 'none')

/** The template for the plugin's installer. Exact to the byte: a difference would change the file on every node. */
const pluginConfig = ({ addresses }: ConfigValues): readonly string[] => {
  const { type, subnet, ranges, assignsIpv4, assignsIpv6 } = addresses
  return [
    '{',
    '  "name": "k8s-pod-network",',
    '  "cniVersion": "0.3.1",',
    '  "plugins": [',
    '    {',
    '      "type": "calico",',
    '      "log_level": "error",',
    '      "log_file_path": "/var/log/calico/cni/cni.log",',
    '      "datastore_type": "kubernetes",',
    '      "nodename": "__KUBERNETES_NODE_NAME__",',
    '      "mtu": __CNI_MTU__,',
    '      "ipam": {',
    `        "type": "${type}",`,
    ...(subnet === undefined ? [] : [`        "subnet": "${subnet}",`]),
    ...(ranges === undefined ? [] : [`        "ranges": ${JSON.stringify(ranges)},`]),
    `        "assign_ipv4": "${assignsIpv4}",`,
    `        "assign_ipv6": "${assignsIpv6}"`,
    '      },',
    '      "policy": {',
    '        "type": "k8s"',
    '      },',
    '      "kubernetes": {',
    '        "kubeconfig": "__KUBECONFIG_FILEPATH__"',
    '      }',
    '    },',
    '    {',
    '      "type": "portmap",',
    '      "snat": true,',
    '      "capabilities": {"portMappings": true}',
    '    }',
    '  ]',
    '}',
  ]
}

/**
 * The checksum that restarts pods when the configuration changes. Gardener's extension computes it from its rendered
 * template, including comments. A different text would change the checksum and roll each node of every migrated shoot
 * (docs/contract/small-kinds.md#checksums). The text is that of gardener-extension-networking-calico v1.60, Apache
 * License 2.0.
 */
export const configChecksum = (values: ConfigValues): string =>
  createHash('sha256')
    .update(
      [
        '---',
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata:',
        `  name: ${configName}`,
        `  namespace: ${systemNamespace}`,
        'data:',
        '  # You must set a non-zero value for Typha replicas below.',
        `  typha_service_name: "${typhaService(values)}"`,
        '  # Configure the Calico backend to use.',
        `  calico_backend: "${values.backend}"`,
        '',
        '  # Configure the MTU to use for workload interfaces and tunnels.',
        '  # By default, MTU is auto-detected, and explicitly setting this field should not be required.',
        '  # You can override auto-detection by providing a non-zero value.',
        `  veth_mtu: "${values.mtu}"`,
        '',
        '  # The CNI network configuration to install on each node. The special',
        '  # values in this config will be automatically populated.',
        '',
        '  cni_network_config: |-',
        ...pluginConfig(values).map(line => `    ${line}`),
        '',
      ].join('\n'),
    )
    .digest('hex')

import type { V1Secret } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { systemNamespace } from '../../../../shared/manifests/manifests.ts'
import type { OpenStackValues } from '../input/openstack-values.ts'
import { authorityFile, cloudConfigName, configFile, configFolder, diskConfigName } from '../names.ts'
import { optionalLine, quoted } from './gcfg.ts'
import type { LoadBalancers } from './load-balancer-classes.ts'

type ConfigSecret = Rendered<V1Secret> & { readonly data: Readonly<Record<string, string>> }

/** The configurations of the components in the seed (docs/contract/openstack.md#controlplane). */
export interface CloudConfigs {
  readonly cloudController: ConfigSecret
  readonly disks: ConfigSecret
  /** No component reads it. The Go extension, which a shoot may return to, expects it. */
  readonly unused: ConfigSecret
}

export const cloudConfigs = (values: OpenStackValues): CloudConfigs => {
  const { namespace, credentials, profile } = values
  const common = ['[Global]', ...credentialLines(values), '[Metadata]', ...timeoutLines(values)]
  const secret = (name: string, lines: readonly string[]) =>
    configSecret({ name, namespace }, lines, credentials.ca)
  return {
    cloudController: secret(cloudConfigName, [
      ...common,
      ...loadBalancerLines(values.config.loadBalancerProvider, values.loadBalancers),
      '[Networking]',
      ...optionalLine('internal-network-name', values.networks.name),
      '[Route]',
      ...(values.networking.hasOverlay ? [] : optionalLine('router-id', values.networks.router.id)),
    ]),
    disks: secret(diskConfigName, [
      ...common,
      '',
      '[BlockStorage]',
      // Only the nodes rescan volumes.
      'rescan-on-resize=false',
      `ignore-volume-az=${profile.ignoreVolumeAZ === true}`,
    ]),
    unused: secret('cloud-provider-disk-config', common),
  }
}

/** The configuration of the CSI driver on the nodes. It contains no credentials. */
export const nodeConfig = ({
  profile: { rescanBlockStorageOnResize, nodeVolumeAttachLimit },
}: Pick<OpenStackValues, 'profile'>): ConfigSecret =>
  configSecret({ name: cloudConfigName, namespace: systemNamespace }, [
    '[BlockStorage]',
    `rescan-on-resize=${rescanBlockStorageOnResize === true}`,
    ...(nodeVolumeAttachLimit ? [`node-volume-attach-limit=${nodeVolumeAttachLimit}`] : []),
  ])

const configSecret = (
  metadata: { readonly name: string; readonly namespace: string },
  lines: readonly string[],
  ca?: string,
): ConfigSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  type: 'Opaque',
  data: {
    [configFile]: base64(lines.join('\n')),
    ...(ca !== undefined && { [authorityFile]: base64(ca) }),
  },
})

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

const credentialLines = ({ credentials, region }: OpenStackValues): readonly string[] => [
  `auth-url=${quoted(credentials.authUrl)}`,
  `domain-name=${quoted(credentials.domainName)}`,
  `tenant-name=${quoted(credentials.tenantName)}`,
  `username=${quoted(credentials.username)}`,
  ...optionalLine('password', credentials.password),
  ...(credentials.applicationCredential === undefined
    ? []
    : [
        `application-credential-id=${quoted(credentials.applicationCredential.id)}`,
        `application-credential-name=${quoted(credentials.applicationCredential.name)}`,
        `application-credential-secret=${quoted(credentials.applicationCredential.secret)}`,
      ]),
  `region=${quoted(region)}`,
  ...(credentials.isInsecure ? ['tls-insecure=true'] : []),
  ...(credentials.ca === undefined ? [] : [`ca-file=${quoted(`${configFolder}/${authorityFile}`)}`]),
]

/** Unquoted, as the Go extension writes it, unless it needs quotes. */
const timeoutLines = ({ profile: { requestTimeout } }: OpenStackValues): readonly string[] =>
  requestTimeout && /^[\w.]+$/.test(requestTimeout)
    ? [`request-timeout=${requestTimeout}`]
    : optionalLine('request-timeout', requestTimeout)

const loadBalancerLines = (provider: string, { standard, classes }: LoadBalancers): readonly string[] => [
  '[LoadBalancer]',
  'create-monitor=true',
  'monitor-delay="20s"',
  'monitor-timeout="30s"',
  'monitor-max-retries=2',
  'lb-version="v2"',
  `lb-provider=${quoted(provider)}`,
  // The only method of OVN's load balancers. Their traffic keeps its source, so rules of security groups must allow it.
  ...(provider === 'ovn' ? ['lb-method="SOURCE_IP_PORT"', 'manage-security-groups=true'] : []),
  `floating-network-id=${quoted(standard.floatingNetworkID ?? '')}`,
  ...subnetLines(standard),
  ...classes.flatMap(one => [
    `[LoadBalancerClass ${quoted(one.name)}]`,
    ...optionalLine('floating-network-id', one.floatingNetworkID),
    ...subnetLines(one),
  ]),
]

const subnetLines = (networks: LoadBalancers['standard']): readonly string[] => [
  ...optionalLine('floating-subnet-id', networks.floatingSubnetID),
  ...optionalLine('floating-subnet', networks.floatingSubnetName),
  ...optionalLine('floating-subnet-tags', networks.floatingSubnetTags),
  ...optionalLine('subnet-id', networks.subnetID),
]

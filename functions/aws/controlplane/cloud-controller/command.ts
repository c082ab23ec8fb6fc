import type { ControlPlaneValues } from '../input/control-plane-values.ts'
import { kubeconfigPath } from '../objects/volumes.ts'
import { cloudProviderConfigFile } from './cloud-provider-config.ts'
import { metricsPort } from './names.ts'

export const serverFolder = '/var/lib/cloud-controller-manager-server'
export const configFolder = '/etc/kubernetes/cloudprovider'

/** Gardener's list for all servers of a control plane. */
const cipherSuites = [
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
]

export const cloudControllerCommand = (values: ControlPlaneValues): readonly string[] => [
  '/bin/aws-cloud-controller-manager',
  '--allocate-node-cidrs=false',
  '--cloud-provider=aws',
  `--cloud-config=${configFolder}/${cloudProviderConfigFile}`,
  `--cluster-cidr=${values.networking.podRanges.join(',')}`,
  `--cluster-name=${values.namespace}`,
  '--concurrent-service-syncs=10',
  '--configure-cloud-routes=false',
  ...featureGates(values),
  ...controllers(values),
  `--kubeconfig=${kubeconfigPath}`,
  `--authentication-kubeconfig=${kubeconfigPath}`,
  `--authorization-kubeconfig=${kubeconfigPath}`,
  '--leader-elect=true',
  `--secure-port=${metricsPort}`,
  `--tls-cert-file=${serverFolder}/tls.crt`,
  `--tls-private-key-file=${serverFolder}/tls.key`,
  `--tls-cipher-suites=${cipherSuites.join(',')}`,
  '--use-service-account-credentials',
  '--v=2',
]

const featureGates = ({ config }: ControlPlaneValues): readonly string[] => {
  const gates = Object.entries(config.featureGates).sort(([one], [other]) => (one < other ? -1 : 1))
  return gates.length === 0 ? [] : [`--feature-gates=${gates.map(gate => gate.join('=')).join(',')}`]
}

/** Without a subnet for load balancers, their creation would always fail. */
const controllers = ({ infrastructure }: ControlPlaneValues): readonly string[] =>
  infrastructure.hasLoadBalancerSubnets ? [] : ['--controllers=*,-service']

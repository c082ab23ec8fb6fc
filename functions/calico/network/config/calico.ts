/** Decodes and checks the Calico settings that users write in fields of Gardener. */
export { isCidr } from './cidr.ts'
export {
  decodeNetworkConfig,
  type NetworkConfig,
  networkConfigSchema,
  networkConfigVersion,
} from './network-config.ts'
export { kubeProxyProblems, networkConfigProblems } from './network-config-problems.ts'

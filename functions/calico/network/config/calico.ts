/** What users say of Calico in fields of Gardener's: how it is decoded, and what is wrong with it. */
export { isCidr } from './cidr.ts'
export { decodeNetworkConfig, type NetworkConfig, networkConfigVersion } from './network-config.ts'
export { kubeProxyProblems, networkConfigProblems } from './network-config-problems.ts'

/** Decoding of the provider's objects in Gardener's fields, such as `providerConfig`. */

export { decodeStrictly } from '../../../../shared/decode/decode-strictly.ts'
export { formProblems } from '../../../../shared/decode/form-problems.ts'
export { allowedFloatingPool } from './allowed-floating-pool.ts'
export {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  type LoadBalancerClass,
} from './cloud-profile-config.ts'
export { type ControlPlaneConfig, controlPlaneConfigSchema } from './control-plane-config.ts'
export { apiVersion, head, list, optional, text } from './fields.ts'
export { findFloatingPool } from './find-floating-pool.ts'
export { formats } from './formats.ts'
export { type InfrastructureStatus, infrastructureStatusSchema } from './infrastructure-status.ts'
export { type Keystone, keystoneOf } from './keystone-of.ts'

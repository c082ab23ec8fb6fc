/** Decoding of the provider's objects in Gardener's fields, such as `providerConfig`. */

export { decodeStrictly } from '../../../../shared/decode/decode-strictly.ts'
export { type Format, formats, formProblems } from '../formats.ts'
export { asksForAttributesClass } from './asks-for-attributes-class.ts'
export { type CloudProfileConfig, cloudProfileConfigSchema } from './cloud-profile-config.ts'
export { controlPlaneConfigProblems, controlPlaneConfigSchema } from './control-plane-config.ts'
export { apiVersion, head, list, optional, text } from './fields.ts'
export { infrastructureStatusSchema } from './infrastructure-status.ts'
export { workloadIdentityConfigSchema } from './workload-identity-config.ts'

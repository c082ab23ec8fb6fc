/** Objects of the provider that stand in fields of Gardener's, such as `providerConfig`: how they are decoded. */
export { asksForAttributesClass } from './asks-for-attributes-class.ts'
export { decodeStrictly } from './decode-strictly.ts'
export { apiVersion, head, list, optional, text } from './fields.ts'
export { infrastructureStatusSchema } from './infrastructure-status.ts'

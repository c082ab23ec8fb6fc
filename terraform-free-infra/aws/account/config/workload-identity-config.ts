import * as z from 'zod'
import { head, text } from './fields.ts'

/**
 * The provider's `WorkloadIdentityConfig`, which users write into `spec.targetSystem.providerConfig` of a
 * WorkloadIdentity. It contains the role for its tokens (docs/contract/admission.md#credentials).
 */
export const workloadIdentityConfigSchema = z.strictObject({
  ...head('WorkloadIdentityConfig'),
  roleARN: text,
})

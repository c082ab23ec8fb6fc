import * as z from 'zod'
import { head, text } from './fields.ts'

/**
 * `WorkloadIdentityConfig` of the provider, which users write as `spec.targetSystem.providerConfig` of a WorkloadIdentity:
 * the role that its tokens are exchanged for (docs/contract/admission.md#credentials).
 */
export const workloadIdentityConfigSchema = z.strictObject({
  ...head('WorkloadIdentityConfig'),
  roleARN: text,
})

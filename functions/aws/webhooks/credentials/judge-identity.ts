import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import {
  decodeStrictly,
  formats,
  formProblems,
  workloadIdentityConfigSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { at, isAbsent } from '../garden/json.ts'

/** The result of checking the config of a WorkloadIdentity. */
export type JudgedIdentity =
  | { readonly kind: 'usable' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undecodable'; readonly message: string }
  | { readonly kind: 'wrong'; readonly errors: readonly string[] }

/** Validates `spec.targetSystem.providerConfig` of a WorkloadIdentity (docs/contract/admission.md#credentials). */
export const judgeIdentity = (identity: unknown): JudgedIdentity => {
  const value = at(identity, 'spec', 'targetSystem', 'providerConfig')
  if (isAbsent(value)) return { kind: 'missing' }
  try {
    const config = decodeStrictly(workloadIdentityConfigSchema, value)
    const errors = fieldErrors(formProblems('roleARN', config.roleARN, formats.role), {
      at: 'spec.targetSystem.providerConfig',
      within: config,
    })
    return errors.length === 0 ? { kind: 'usable' } : { kind: 'wrong', errors }
  } catch (error) {
    return { kind: 'undecodable', message: messageOf(error) }
  }
}

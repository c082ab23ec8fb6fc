import { valueAt } from '../../../../shared/decode/record-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import { isAbsent } from '../../../../shared/webhooks/garden/garden.ts'
import {
  decodeStrictly,
  formats,
  formProblems,
  workloadIdentityConfigSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** Validates a WorkloadIdentity of this provider (docs/contract/admission.md#credentials). */
export const validateWorkloadIdentity: Reviewer = ({ object, oldObject }) => {
  const outcome = judgeIdentity(object)
  switch (outcome.kind) {
    case 'missing':
      return refusedFor(['the new target system is missing configuration'])
    case 'undecodable':
      return refusedFor([`cannot decode the new target system's configuration: ${outcome.message}`])
    case 'wrong':
      return refusedFor([`validation of target system's configuration failed: ${outcome.errors.join(', ')}`])
    case 'usable': {
      const former = oldObject === undefined ? undefined : judgeIdentity(oldObject)
      return former?.kind === 'undecodable'
        ? refusedFor([`cannot decode the old target system's configuration: ${former.message}`])
        : {}
    }
  }
}

/** The result of checking the config of a WorkloadIdentity. */
type JudgedIdentity =
  | { readonly kind: 'usable' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undecodable'; readonly message: string }
  | { readonly kind: 'wrong'; readonly errors: readonly string[] }

/** Validates `spec.targetSystem.providerConfig` of a WorkloadIdentity (docs/contract/admission.md#credentials). */
export const judgeIdentity = (identity: unknown): JudgedIdentity => {
  const value = valueAt(identity, 'spec', 'targetSystem', 'providerConfig')
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

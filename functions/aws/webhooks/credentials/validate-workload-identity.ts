import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { judgeIdentity } from './judge-identity.ts'

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

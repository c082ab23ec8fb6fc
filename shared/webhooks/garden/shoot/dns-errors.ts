import { mostProblems, type Problem } from '../../../../shared/decode/problems.ts'
import { fieldErrors, type Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import { credentialsErrors } from '../credentials/validate-binding.ts'
import type { ShootSpec } from './shoot-parts.ts'

/**
 * Returns the errors in the credentials of the shoot's own domain (docs/contract/admission.md#dns). Only the primary
 * provider is checked, because Gardener itself uses only its credentials.
 */
export const dnsErrors = async (
  { dns }: ShootSpec,
  namespace: string,
  lookup: Lookup,
): Promise<readonly string[]> => {
  const judged = (dns?.providers ?? []).flatMap(({ type, primary, credentialsRef }, index) =>
    type === 'aws-route53' && primary === true ? [{ credentialsRef, index }] : [],
  )
  // Gardener accepts only one primary provider. Each check is a request to the API server.
  if (judged.length > mostProblems)
    return fieldErrors(
      [{ path: 'spec.dns.providers', message: 'expected one primary provider', kind: 'too-many' }],
      { within: { spec: { dns: { providers: judged } } } },
    )
  const errors = await Promise.all(
    judged.map(async ({ credentialsRef, index }) => {
      const report = (problem: Omit<Problem, 'path'>) =>
        fieldErrors([{ path: '', ...problem }], {
          at: `spec.dns.providers[${index}].credentialsRef`,
          within: credentialsRef,
        })
      if (!credentialsRef)
        return report({
          message: 'expected a reference to a Secret or WorkloadIdentity, found nothing',
          kind: 'required',
        })
      const { apiVersion, kind, name } = credentialsRef
      const outcome = await credentialsErrors(
        { apiVersion: apiVersion ?? '', kind: kind ?? '', name: name ?? '', namespace },
        lookup,
      )
      switch (outcome.kind) {
        case 'usable':
          return []
        case 'missing':
          return report({ message: 'not found in the namespace of the shoot', kind: 'not-found' })
        case 'unsupported':
          return report({ message: outcome.message, kind: 'internal' })
        case 'wrong':
          return report({ message: outcome.errors.join(', ') })
      }
    }),
  )
  return errors.flat()
}

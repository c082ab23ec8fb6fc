import { mostProblems, type Problem } from '../../../decode/problems.ts'
import { fieldErrors, type Lookup } from '../../admission/admission.ts'
import type { CredentialsOutcome, CredentialsReference } from '../credentials/judge-credentials.ts'
import type { ShootSpec } from './shoot-parts.ts'

/** How a provider checks the credentials of its DNS. */
export interface DnsRules {
  /** `aws-route53` */
  readonly type: string
  /** `a Secret or WorkloadIdentity` */
  readonly expected: string
  readonly judge: (reference: CredentialsReference, lookup: Lookup) => Promise<CredentialsOutcome>
  /** True if `secretName` may name a Secret, too. Default: false. */
  readonly acceptsSecretName?: boolean
}

type DnsProvider = NonNullable<NonNullable<ShootSpec['dns']>['providers']>[number]

/**
 * Returns the errors in the credentials of the shoot's own domain (docs/contract/admission.md#dns). Only the primary
 * provider is checked, because Gardener itself uses only its credentials.
 */
export const dnsErrors = async (
  { dns }: ShootSpec,
  namespace: string,
  lookup: Lookup,
  rules: DnsRules,
): Promise<readonly string[]> => {
  const judged = (dns?.providers ?? []).flatMap((provider, index) =>
    provider.type === rules.type && provider.primary === true ? [{ provider, index }] : [],
  )
  // Gardener accepts only one primary provider. Each check is a request to the API server.
  if (judged.length > mostProblems)
    return fieldErrors(
      [{ path: 'spec.dns.providers', message: 'expected one primary provider', kind: 'too-many' }],
      { within: { spec: { dns: { providers: judged } } } },
    )
  const errors = await Promise.all(
    judged.map(async ({ provider, index }) => {
      const { path, reference } = referenceOf(provider, rules)
      const report = (problem: Omit<Problem, 'path'>) =>
        fieldErrors([{ path, ...problem }], { at: `spec.dns.providers[${index}]`, within: provider })
      if (reference === undefined)
        return report({
          message: `expected a reference to ${rules.expected}, found nothing`,
          kind: 'required',
        })
      const outcome = await rules.judge({ ...reference, namespace }, lookup)
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

const referenceOf = (
  { credentialsRef, secretName }: DnsProvider,
  { acceptsSecretName = false }: DnsRules,
): { readonly path: string; readonly reference: Omit<CredentialsReference, 'namespace'> | undefined } => {
  const path = 'credentialsRef'
  if (credentialsRef) {
    const { apiVersion, kind, name } = credentialsRef
    return { path, reference: { apiVersion: apiVersion ?? '', kind: kind ?? '', name: name ?? '' } }
  }
  return acceptsSecretName && secretName
    ? { path: 'secretName', reference: { apiVersion: 'v1', kind: 'Secret', name: secretName } }
    : { path, reference: undefined }
}

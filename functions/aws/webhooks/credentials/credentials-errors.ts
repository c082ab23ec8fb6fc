import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import { garden, isName } from '../garden/resources.ts'
import { judgeIdentity } from './judge-identity.ts'
import { secretErrors } from './secret-errors.ts'

/** A reference to an object with credentials. */
export interface CredentialsReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

export type CredentialsOutcome =
  | { readonly kind: 'usable' }
  | { readonly kind: 'missing' }
  /** A kind of credentials that this webhook cannot check. */
  | { readonly kind: 'unsupported'; readonly message: string }
  | { readonly kind: 'wrong'; readonly errors: readonly string[] }

/** Looks up credentials and validates them. */
export const credentialsErrors = async (
  { apiVersion, kind, namespace, name }: CredentialsReference,
  lookup: Lookup,
): Promise<CredentialsOutcome> => {
  const get = (resource: (typeof garden)[keyof typeof garden]) =>
    isName(namespace) && isName(name) ? lookup.get(resource, { namespace, name }) : undefined
  switch (`${apiVersion} ${kind}`) {
    case 'v1 Secret':
      return judged(await get(garden.secrets))
    case 'core.gardener.cloud/v1beta1 InternalSecret':
      return judged(await get(garden.internalSecrets))
    case 'security.gardener.cloud/v1alpha1 WorkloadIdentity': {
      const identity = await get(garden.workloadIdentities)
      if (identity === undefined) return { kind: 'missing' }
      const outcome = judgeIdentity(identity)
      switch (outcome.kind) {
        case 'usable':
          return outcome
        case 'missing':
          return { kind: 'wrong', errors: ['the target system is missing configuration'] }
        case 'undecodable':
          return { kind: 'wrong', errors: [`target system's configuration is not valid: ${outcome.message}`] }
        case 'wrong':
          return {
            kind: 'wrong',
            errors: [
              `referenced workload identity ${namespace}/${name} is not valid: ${outcome.errors.join(', ')}`,
            ],
          }
      }
    }
  }
  return {
    kind: 'unsupported',
    message: `unsupported credentials reference: version ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`,
  }
}

const judged = (secret: unknown): CredentialsOutcome => {
  if (secret === undefined) return { kind: 'missing' }
  const errors = secretErrors(secret)
  return errors.length === 0 ? { kind: 'usable' } : { kind: 'wrong', errors }
}

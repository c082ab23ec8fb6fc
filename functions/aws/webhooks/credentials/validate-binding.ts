import { valueAt } from '../../../../shared/decode/record-of.ts'
import {
  type Lookup,
  type Reviewer,
  type ReviewOutcome,
  refusedFor,
} from '../../../../shared/webhooks/admission/admission.ts'
import { garden, isName } from '../../../../shared/webhooks/garden/garden.ts'
import { secretErrors } from './validate-secret.ts'
import { judgeIdentity } from './validate-workload-identity.ts'

/** Validates the Secret of a SecretBinding, unless the old binding has the same provider. */
export const validateSecretBinding: Reviewer = ({ object, oldObject, namespace = '' }, lookup) =>
  oldObject !== undefined && valueAt(object, 'provider', 'type') === valueAt(oldObject, 'provider', 'type')
    ? {}
    : judge({ ...referenceIn(object.secretRef, namespace), apiVersion: 'v1', kind: 'Secret' }, lookup)

/** Validates the reference of a new CredentialsBinding. It is immutable later. */
export const validateCredentialsBinding: Reviewer = ({ object, oldObject, namespace = '' }, lookup) =>
  oldObject === undefined ? judge(referenceIn(object.credentialsRef, namespace), lookup) : {}

const referenceIn = (reference: unknown, namespace: string): CredentialsReference => {
  const text = (name: string, absent = ''): string => String(valueAt(reference, name) ?? absent)
  return {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    namespace: text('namespace', namespace),
    name: text('name'),
  }
}

const plurals: Readonly<Record<string, string>> = {
  Secret: 'secrets',
  InternalSecret: 'internalsecrets.core.gardener.cloud',
  WorkloadIdentity: 'workloadidentities.security.gardener.cloud',
}

const judge = async (reference: CredentialsReference, lookup: Lookup): Promise<ReviewOutcome> => {
  const outcome = await credentialsErrors(reference, lookup)
  switch (outcome.kind) {
    case 'usable':
      return {}
    case 'missing':
      return refusedFor([`${plurals[reference.kind]} ${JSON.stringify(reference.name)} not found`])
    case 'unsupported':
      return refusedFor([outcome.message])
    case 'wrong':
      return refusedFor(outcome.errors)
  }
}

/** A reference to an object with credentials. */
interface CredentialsReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

type CredentialsOutcome =
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

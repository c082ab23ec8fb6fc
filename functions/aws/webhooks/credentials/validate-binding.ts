import type { Lookup, Reviewer, ReviewOutcome } from '../../../../shared/webhooks/admission/admission.ts'
import { at } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { type CredentialsReference, credentialsErrors } from './credentials-errors.ts'

/** Validates the Secret of a SecretBinding, unless the old binding has the same provider. */
export const validateSecretBinding: Reviewer = ({ object, oldObject, namespace = '' }, lookup) =>
  oldObject !== undefined && at(object, 'provider', 'type') === at(oldObject, 'provider', 'type')
    ? {}
    : judge({ ...referenceIn(object.secretRef, namespace), apiVersion: 'v1', kind: 'Secret' }, lookup)

/** Validates the reference of a new CredentialsBinding. It is immutable later. */
export const validateCredentialsBinding: Reviewer = ({ object, oldObject, namespace = '' }, lookup) =>
  oldObject === undefined ? judge(referenceIn(object.credentialsRef, namespace), lookup) : {}

const referenceIn = (reference: unknown, namespace: string): CredentialsReference => {
  const text = (name: string, absent = ''): string => String(at(reference, name) ?? absent)
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

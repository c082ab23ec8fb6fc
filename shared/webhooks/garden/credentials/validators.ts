import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '../../../decode/record-of.ts'
import { type Lookup, type Reviewer, type ReviewOutcome, refusedFor } from '../../admission/admission.ts'
import { type CredentialsReference, type CredentialsRules, judgeCredentials } from './judge-credentials.ts'

/**
 * Returns a validator of Secrets with the credentials of a shoot (docs/contract/admission.md#credentials). It ignores
 * updates that do not change the data.
 */
export const secretValidator =
  ({ secretErrors }: CredentialsRules): Reviewer =>
  ({ object, oldObject }) =>
    oldObject !== undefined && isDeepStrictEqual(object.data ?? {}, oldObject.data ?? {})
      ? {}
      : refusedFor(secretErrors(object))

/** Returns a validator of the Secret of a SecretBinding. It ignores updates that do not change the provider. */
export const secretBindingValidator =
  (rules: CredentialsRules): Reviewer =>
  ({ object, oldObject, namespace = '' }, lookup) =>
    oldObject !== undefined && valueAt(object, 'provider', 'type') === valueAt(oldObject, 'provider', 'type')
      ? {}
      : judged(
          { ...referenceIn(object.secretRef, namespace), apiVersion: 'v1', kind: 'Secret' },
          lookup,
          rules,
        )

/** Returns a validator of the reference of a new CredentialsBinding. It is immutable later. */
export const credentialsBindingValidator =
  (rules: CredentialsRules): Reviewer =>
  ({ object, oldObject, namespace = '' }, lookup) =>
    oldObject === undefined ? judged(referenceIn(object.credentialsRef, namespace), lookup, rules) : {}

/** Reads a reference in a binding. @param namespace that of a reference without one */
export const referenceIn = (reference: unknown, namespace: string): CredentialsReference => {
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

/** `secrets "a" not found`, as an API server says it. */
export const notFound = ({ kind, name }: CredentialsReference): string =>
  `${plurals[kind]} ${JSON.stringify(name)} not found`

const judged = async (
  reference: CredentialsReference,
  lookup: Lookup,
  rules: CredentialsRules,
): Promise<ReviewOutcome> => {
  const outcome = await judgeCredentials(reference, lookup, rules)
  switch (outcome.kind) {
    case 'usable':
      return {}
    case 'missing':
      return refusedFor([notFound(reference)])
    case 'unsupported':
      return refusedFor([outcome.message])
    case 'wrong':
      return refusedFor(outcome.errors)
  }
}

import type { Lookup } from '../../admission/admission.ts'
import { garden, isName } from '../resources.ts'

/** A reference to an object with credentials. */
export interface CredentialsReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** How a provider checks its credentials. Errors never contain a value of a Secret. */
export interface CredentialsRules {
  readonly secretErrors: (secret: unknown) => readonly string[]
  /** `name`: with its namespace. Absent: the provider has no WorkloadIdentities. */
  readonly identityErrors?: (identity: unknown, name: string) => readonly string[]
}

type NoCredentials =
  | { readonly kind: 'missing' }
  /** A kind of credentials that this webhook cannot check. */
  | { readonly kind: 'unsupported'; readonly message: string }

export type CredentialsOutcome =
  | NoCredentials
  | { readonly kind: 'usable' }
  | { readonly kind: 'wrong'; readonly errors: readonly string[] }

type FoundCredentials = NoCredentials | { readonly kind: 'found'; readonly object: unknown }

const secrets = {
  'v1 Secret': garden.secrets,
  'core.gardener.cloud/v1beta1 InternalSecret': garden.internalSecrets,
} as const
const identities = {
  'security.gardener.cloud/v1alpha1 WorkloadIdentity': garden.workloadIdentities,
} as const

const find = async (
  resources: Readonly<Record<string, (typeof garden)[keyof typeof garden]>>,
  { apiVersion, kind, namespace, name }: CredentialsReference,
  lookup: Lookup,
): Promise<FoundCredentials> => {
  const type = `${apiVersion} ${kind}`
  const resource = Object.hasOwn(resources, type) ? resources[type] : undefined
  if (resource === undefined) {
    const message = `unsupported credentials reference: version ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`
    return { kind: 'unsupported', message }
  }
  const object =
    isName(namespace) && isName(name) ? await lookup.get(resource, { namespace, name }) : undefined
  return object === undefined ? { kind: 'missing' } : { kind: 'found', object }
}

/** Looks up a Secret or an InternalSecret. */
export const findSecret = (reference: CredentialsReference, lookup: Lookup): Promise<FoundCredentials> =>
  find(secrets, reference, lookup)

/** Looks up credentials and checks them. */
export const judgeCredentials = async (
  reference: CredentialsReference,
  lookup: Lookup,
  { secretErrors, identityErrors }: CredentialsRules,
): Promise<CredentialsOutcome> => {
  const isIdentity = identityErrors !== undefined && reference.kind === 'WorkloadIdentity'
  const found = await find(isIdentity ? identities : secrets, reference, lookup)
  if (found.kind !== 'found') return found
  const errors = isIdentity
    ? identityErrors(found.object, `${reference.namespace}/${reference.name}`)
    : secretErrors(found.object)
  return errors.length === 0 ? { kind: 'usable' } : { kind: 'wrong', errors }
}

import * as z from 'zod'
import { configurationProblem } from '../contract/errors.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** The part of a Secret that a BackupEntry writes. `data` is base64, as in the API, and secret. */
export interface SecretContent {
  readonly annotations: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
}

/** Names the entry that created the Secret of etcd. */
export const createdBy = 'backup.gardener.cloud/created-by'

/** Label on a Secret with a token that gardenlet requests and renews. */
const purpose = {
  label: 'security.gardener.cloud/purpose',
  value: 'workload-identity-token-requestor',
} as const
const identity = 'workloadidentity.security.gardener.cloud'
const identityName = `${identity}/name`
const identityNamespace = `${identity}/namespace`
const identityContext = `${identity}/context-object`
const identityProvider = `${identity}/provider`
/** Time of gardenlet's next token renewal; gardenlet writes it. */
const tokenRenewal = `${identity}/token-renew-timestamp`

const schema = z.object({
  metadata: z.object({
    annotations: z.record(z.string(), z.string()).nullish(),
    labels: z.record(z.string(), z.string()).nullish(),
  }),
  data: z.record(z.string(), z.string()).nullish(),
})

/** Returns the content of a Secret; empty without a Secret. */
export const contentOf = (secret: KubernetesObject | undefined): SecretContent => {
  const { data: parsed } = schema.safeParse(secret)
  return {
    annotations: parsed?.metadata.annotations ?? {},
    labels: parsed?.metadata.labels ?? {},
    data: parsed?.data ?? {},
  }
}

export interface EtcdSecretInput {
  readonly entryName: string
  /** The name in `spec.secretRef`, for errors. */
  readonly secretRef: string
  readonly credentials: SecretContent
  /** Additions of the provider and the flow, as text. */
  readonly added: Readonly<Record<string, string>>
  /** The current content of the Secret of etcd. */
  readonly present: SecretContent
}

/**
 * Returns the desired content of the Secret of etcd: exactly the credentials and the additions. With a workload
 * identity, gardenlet requests a separate token for this Secret: the token of the credentials is omitted, and the
 * existing token and its time are retained.
 *
 * Throws a `CodedError` if the credentials lack the identity.
 */
export const etcdSecret = (input: EtcdSecretInput): SecretContent =>
  input.credentials.labels[purpose.label] === purpose.value ? ofIdentity(input) : ofKeys(input)

const ofKeys = ({ entryName, credentials, added }: EtcdSecretInput): SecretContent => ({
  annotations: { [createdBy]: entryName },
  labels: {},
  data: { ...credentials.data, ...encoded(added) },
})

const ofIdentity = ({
  entryName,
  secretRef,
  credentials: { annotations, labels, data },
  added,
  present,
}: EtcdSecretInput): SecretContent => {
  const needed = (value: string | undefined, key: string): string => {
    if (value) return value
    throw configurationProblem(
      `cannot read the Secret ${secretRef} of spec.secretRef: it is a workload identity without ${key}`,
    )
  }
  return {
    annotations: {
      [createdBy]: entryName,
      [identityName]: needed(annotations[identityName], `annotation ${identityName}`),
      [identityNamespace]: needed(annotations[identityNamespace], `annotation ${identityNamespace}`),
      ...picked(annotations, identityContext),
      ...picked(present.annotations, tokenRenewal),
    },
    labels: {
      [purpose.label]: purpose.value,
      [identityProvider]: needed(labels[identityProvider], `label ${identityProvider}`),
    },
    data: { ...picked(data, 'config'), ...encoded(added), ...picked(present.data, 'token') },
  }
}

const picked = (record: Readonly<Record<string, string>>, key: string): Readonly<Record<string, string>> => {
  const value = record[key]
  return value === undefined ? {} : { [key]: value }
}

const encoded = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)]))

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))

/** Returns the merge patch from one content to another; undefined if they are equal. */
export const contentPatch = (
  present: SecretContent,
  wanted: SecretContent,
): { readonly metadata: Readonly<Record<string, object>>; readonly data?: object } | undefined => {
  const annotations = recordPatch(present.annotations, wanted.annotations)
  const labels = recordPatch(present.labels, wanted.labels)
  const data = recordPatch(present.data, wanted.data)
  if (annotations === undefined && labels === undefined && data === undefined) return undefined
  return {
    metadata: { ...(annotations && { annotations }), ...(labels && { labels }) },
    ...(data && { data }),
  }
}

const recordPatch = (
  present: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> | undefined => {
  const gone = Object.keys(present).filter(key => !Object.hasOwn(wanted, key))
  const changed = Object.entries(wanted).filter(([key, value]) => present[key] !== value)
  return gone.length + changed.length === 0
    ? undefined
    : { ...Object.fromEntries(gone.map(key => [key, null])), ...Object.fromEntries(changed) }
}

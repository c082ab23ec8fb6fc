import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { secretLabels, unusedSince } from './labels.ts'

/** A Secret of the secrets manager as the API server has it. */
export interface ManagedSecret {
  /** Of the Secret. */
  readonly name: string
  /** Name of the config, or of the bundle, that it was made of. */
  readonly config: string
  readonly labels: Readonly<Record<string, string>>
  /** Base64 by key, as the API has it, and secret: never log it, never put it into an error. */
  readonly data: Readonly<Record<string, string>>
  readonly immutable: boolean
  /** As its label has it; empty: never rotated. */
  readonly rotation: string
  readonly createdAt: Timestamp
  /** Its annotation: when the clean-up found first that nobody needs it. */
  readonly unusedSince: string | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

export const managedSecretOf = ({ metadata, data, immutable }: KubernetesObject): ManagedSecret => {
  const labels = metadata.labels ?? {}
  return {
    name: metadata.name,
    config: labels[secretLabels.name] ?? '',
    labels,
    data: typeof data === 'object' && data !== null ? texts(data) : {},
    immutable: immutable === true,
    rotation: labels[secretLabels.rotation] ?? '',
    createdAt: parseTimestamp(metadata.creationTimestamp) ?? 0,
    unusedSince: metadata.annotations?.[unusedSince],
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  }
}

/** The newest of several generations of a secret; of those restored at the same time, the one that was rotated last. */
export const newestOf = (secrets: readonly ManagedSecret[]): ManagedSecret | undefined =>
  secrets.toSorted((a, b) => Number(b.rotation) - Number(a.rotation) || b.createdAt - a.createdAt)[0]

/** What a Secret holds under a key, as text; empty: it has no such key. */
export const textOf = ({ data }: Pick<ManagedSecret, 'data'>, key: string): string =>
  Buffer.from(data[key] ?? '', 'base64').toString()

const texts = (data: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )

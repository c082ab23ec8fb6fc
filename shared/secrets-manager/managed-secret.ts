import { parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { secretLabels, unusedSince } from './labels.ts'

/** A Secret of the secrets manager as read from the API server. */
export interface ManagedSecret {
  readonly name: string
  /** The name of its config or bundle. */
  readonly config: string
  readonly labels: Readonly<Record<string, string>>
  /** Base64 by key, as in the API. Secret: never log it or put it into an error. */
  readonly data: Readonly<Record<string, string>>
  readonly immutable: boolean
  /** The value of its label. Empty: never rotated. */
  readonly rotation: string
  readonly createdAt: Timestamp
  /** Its annotation: the time when the clean-up first found it unused. */
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

/** Returns the newest generation of a secret. Among several restored at the same time, the one rotated last. */
export const newestOf = (secrets: readonly ManagedSecret[]): ManagedSecret | undefined =>
  secrets.toSorted((a, b) => Number(b.rotation) - Number(a.rotation) || b.createdAt - a.createdAt)[0]

/** Returns the value of a key as text, or an empty text if the key does not exist. */
export const secretText = ({ data }: Pick<ManagedSecret, 'data'>, key: string): string =>
  Buffer.from(data[key] ?? '', 'base64').toString()

const texts = (data: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )

import { X509Certificate } from 'node:crypto'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { redact, type Secret } from '../../lifecycle/lifecycle.ts'

/** Placeholder for values that depend on a key which only the step creates. */
export const knownAfterCreate = '(known after create)'

export interface ShownOptions {
  /** Values to hide. Undefined: only the content of Secrets. */
  readonly secret: Secret | undefined
  /** Placeholders for names of Secrets that will change. */
  readonly unknownNames: ReadonlyMap<string, string>
  /** Certificates in PEM that will change. */
  readonly unknownCertificates: ReadonlySet<string>
}

/**
 * Returns both forms of an object without secrets: for a Secret its keys, for certificates their subjects, and
 * placeholders for values that only the step creates.
 */
export const shownObjects = (
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  options: ShownOptions,
): readonly [KubernetesObject | undefined, KubernetesObject | undefined] => {
  const shown = (object: KubernetesObject | undefined, other: KubernetesObject | undefined) =>
    object && (shownValue(withoutSecrets(object, other), options) as KubernetesObject)
  return [shown(before, undefined), shown(after, before)]
}

const secretFields = ['data', 'stringData']

/** `other`: the previous form. Changed values are marked. */
const withoutSecrets = (object: KubernetesObject, other: KubernetesObject | undefined): KubernetesObject => {
  if (object.kind !== 'Secret') return object
  const hidden = (field: string) => {
    const past = Object(other?.[field])
    return Object.fromEntries(
      Object.entries(Object(object[field])).map(([key, value]) => [
        key,
        Object.hasOwn(past, key) && past[key] !== value ? '(secret, changed)' : '(secret)',
      ]),
    )
  }
  const fields = secretFields.filter(field => field in object)
  return { ...object, ...Object.fromEntries(fields.map(field => [field, hidden(field)])) }
}

const shownValue = (value: unknown, options: ShownOptions): unknown => {
  if (typeof value === 'string') return shownText(value, options)
  if (Array.isArray(value)) return value.map(item => shownValue(item, options))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shownValue(item, options)]))
}

const shownText = (text: string, options: ShownOptions): string => {
  const certificates = certificatesIn(text)
  if (certificates.length > 0)
    return certificates.map(pem => certificateName(pem, options.unknownCertificates)).join(', ')
  const known = [...options.unknownNames].reduce(
    (named, [name, placeholder]) => named.replaceAll(name, placeholder),
    text,
  )
  return options.secret === undefined ? known : redact(known, encodedToo(options.secret))
}

/** The base64 form of a value is as secret as the value. */
const encodedToo = ({ data, ...secret }: Secret): Secret => ({
  ...secret,
  data: Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => [
      [key, value],
      [`${key} in base64`, Buffer.from(value).toString('base64')],
    ]),
  ),
})

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns the certificates of a text that has only certificates, plain or in base64 as in webhooks. */
export const certificatesIn = (text: string): readonly string[] => {
  const plain = text.startsWith('LS0tLS1CRUdJTi') ? Buffer.from(text, 'base64').toString() : text
  return plain.startsWith('-----BEGIN CERTIFICATE') ? (plain.match(pemPattern) ?? []) : []
}

/** Shows the subject and a part of the fingerprint, so that another certificate of the same name differs. */
const certificateName = (pem: string, unknown: ReadonlySet<string>): string => {
  try {
    const { subject, fingerprint256 } = new X509Certificate(pem)
    const end = unknown.has(pem)
      ? knownAfterCreate
      : `(sha256 ${fingerprint256.replaceAll(':', '').slice(0, 8).toLowerCase()})`
    return `certificate of ${subject.replace(/^(.*\n)*CN=/, '')} ${end}`
  } catch {
    return 'unreadable certificate'
  }
}

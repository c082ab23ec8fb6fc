import { X509Certificate } from 'node:crypto'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { redact, type Secret } from '../../lifecycle/lifecycle.ts'

/** Stands for what follows from a key that only the step makes. */
export const knownAfterCreate = '(known after create)'

export interface ShownOptions {
  /** What is nowhere to be seen; undefined: nothing but what Secrets hold. */
  readonly secret: Secret | undefined
  /** Names of Secrets that will be others, and what stands for them. */
  readonly unknownNames: ReadonlyMap<string, string>
  /** Certificates, PEM, that will be others. */
  readonly unknownCertificates: ReadonlySet<string>
}

/**
 * The two forms of an object as people may see them: of a Secret its keys, of certificates whose they are, and of what only the
 * step will know that it is not known.
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

/** `other`: the form before; values that differ from it are told to. */
const withoutSecrets = (object: KubernetesObject, other: KubernetesObject | undefined): KubernetesObject => {
  if (object.kind !== 'Secret') return object
  const hidden = (field: string) => {
    const past = Object(other?.[field])
    return Object.fromEntries(
      Object.entries(Object(object[field])).map(([key, value]) => [
        key,
        Object.hasOwn(past, key) && past[key] !== value ? '(secret, another one)' : '(secret)',
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

/** Values as Secrets have them are no less secret. */
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

/** Of a text that is nothing but certificates, plain or in base64 as webhooks have them. */
export const certificatesIn = (text: string): readonly string[] => {
  const plain = text.startsWith('LS0tLS1CRUdJTi') ? Buffer.from(text, 'base64').toString() : text
  return plain.startsWith('-----BEGIN CERTIFICATE') ? (plain.match(pemPattern) ?? []) : []
}

/** By the name of whom it is, and a part of its fingerprint: another one of the same name is another one. */
const certificateName = (pem: string, unknown: ReadonlySet<string>): string => {
  try {
    const { subject, fingerprint256 } = new X509Certificate(pem)
    const end = unknown.has(pem)
      ? knownAfterCreate
      : `(sha256 ${fingerprint256.replaceAll(':', '').slice(0, 8).toLowerCase()})`
    return `certificate of ${subject.replace(/^(.*\n)*CN=/, '')} ${end}`
  } catch {
    return 'certificate that cannot be read'
  }
}

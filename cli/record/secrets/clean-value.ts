import { gunzipSync } from 'node:zlib'
import { isDeeper } from '../../../shared/decode/json-bounds.ts'
import { isRecord, parsedJson } from '../../../shared/decode/record-of.ts'
import { type Hide, hiddenBytes } from './hidden-text.ts'
import { isSecretName } from './secret-names.ts'
import type { ValueSearch } from './value-search.ts'

/** Removes the secrets of a parsed JSON value. Only texts and fields change, so the type is the same. */
export type CleanValue = <T>(value: T) => T

/** An encoded text may contain another one: Helm releases are encoded twice. */
const mostEncodings = 4
/**
 * The bytes that all compressed texts of a value may have together, in memory and in what is searched. A kilobyte can
 * become a megabyte, and contain compressed texts again.
 */
const mostUnzipped = 8 * 1024 * 1024

/** How deep a text is encoded, and the bytes that may still be unzipped in the same value. */
interface Inside {
  readonly encodings: number
  readonly room: { bytes: number }
}

/**
 * Creates the part of the redaction that needs no knowledge of kinds. It hides texts in fields with secret names, texts
 * that look like secrets, and the known values of Secrets, also inside JSON, base64 and gzip in a text. Drops null,
 * which a merge patch cannot express, and copies of whole objects by kubectl and the API server.
 */
export const createCleanValue = (hide: Hide, search: Pick<ValueSearch, 'replace'>): CleanValue => {
  const cleanText = (text: string, inside: Inside): string => {
    if (inside.encodings < mostEncodings) {
      const deeper = { ...inside, encodings: inside.encodings + 1 }
      const json = jsonIn(text)
      if (json !== undefined) {
        const clean = JSON.stringify(cleanValue(json, deeper))
        if (clean !== JSON.stringify(json)) return clean
      }
      const decoded = decodedFrom(text, inside.room)
      if (decoded === 'too large') return hide(text)
      if (decoded !== undefined && cleanText(decoded, deeper) !== decoded) return hiddenBytes(hide, text)
    }
    return search.replace(hideShapes(text, hide))
  }
  const hideAll = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value)
    return Array.isArray(value) ? value.map(hideAll) : value
  }
  const cleanField = (name: string, value: unknown, holder: object, inside: Inside): unknown => {
    // The scripts of machines can contain anything. API servers accept only base64.
    if (name === 'userData' && typeof value === 'string') return hiddenBytes(hide, value)
    const isText =
      typeof value === 'string' || (Array.isArray(value) && value.some(one => typeof one === 'string'))
    if (isText && (isSecretName(name) || isValueOfSecretName(name, holder))) return hideAll(value)
    return cleanValue(value, inside)
  }
  const cleanValue = (value: unknown, inside: Inside): unknown => {
    if (typeof value === 'string') return cleanText(value, inside)
    if (Array.isArray(value)) return value.map(item => cleanValue(item, inside))
    if (!isRecord(value)) return value
    const fields: [string, unknown][] = []
    for (const [name, item] of Object.entries(value)) {
      if ((item === null && inside.encodings === 0) || copies.has(name)) continue
      // An assignment of this name would change the prototype of the reader's object.
      if (name === '__proto__') continue
      fields.push([search.replace(name), cleanField(name, item, value, inside)])
    }
    return Object.fromEntries(fields)
  }
  return <T>(value: T) => cleanValue(value, { encodings: 0, room: { bytes: mostUnzipped } }) as T
}

/** Fields with copies of other fields. */
const copies: ReadonlySet<string> = new Set([
  'managedFields',
  'kubectl.kubernetes.io/last-applied-configuration',
])

/** `{ name: PASSWORD, value: abc }`, as environments have it. */
const isValueOfSecretName = (field: string, holder: object): boolean => {
  if (field !== 'value') return false
  const { name, key } = holder as { readonly name?: unknown; readonly key?: unknown }
  return [name, key].some(text => typeof text === 'string' && isSecretName(text))
}

const jsonIn = (text: string): unknown => {
  if (!/^\s*[{[]/.test(text)) return undefined
  const value = parsedJson(text)
  return isDeeper(value) ? undefined : value
}

/** Returns the text in base64, also if it is compressed. Undefined: it is no text in base64. */
const decodedFrom = (text: string, room: Inside['room']): string | 'too large' | undefined => {
  if (text.length < 16 || !/^[A-Za-z0-9+/_\r\n-]+={0,2}$/.test(text.trimEnd())) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      if (room.bytes <= 0) return 'too large'
      const unzipped = gunzipSync(bytes, { maxOutputLength: room.bytes })
      room.bytes -= unzipped.length
      return unzipped.toString('utf8')
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') return undefined
      room.bytes = 0
      return 'too large'
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The user and the password of a URL: `https://user:password@host`. */
const urlUser = /:\/\/[^\s/@'"]+@/g

/** The letters of JSON Web Tokens, and of names with dots. */
const dottedWord = /[A-Za-z0-9_.-]{20,}/g

/** The credentials of an Authorization header. */
const header = /((?:basic|bearer)\s+)([A-Za-z0-9+/_.~=-]{12,})/gi

/** The parameters of a signed URL. */
const signature = /([?&](?:[A-Za-z0-9-]*(?:signature|token)|sig)=)([^&\s'"]{8,})/gi

/** A line or a member that assigns a value to a secret name: `password: abc`, `aws_secret_access_key = abc`. */
const assignment =
  /((?:password|passwd|passphrase|secret[_-]?(?:access[_-]?)?key|private[_-]?key|client[_-]?secret|(?:api|access|auth|session|refresh|bearer|bootstrap)[_-]?(?:token|key)|client-key-data|token|secret)\\?["']?[ \t]*[:=][ \t]*\\?["']?)([^\s"'\\,;}]{6,})/gi

/** Words after `token:` in a message for people are no secret. */
const isRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text)

/** Hides the parts of a text that look like secrets: keys, tokens, passwords in URLs and assignments. */
const hideShapes = (text: string, hide: Hide): string => {
  if (text.length < 8) return text
  let clean = text
  if (clean.includes('PRIVATE KEY')) clean = hidePrivateKeys(clean, hide)
  if (clean.includes('eyJ')) clean = clean.replace(dottedWord, word => hideWebToken(word, hide))
  if (clean.includes('://')) clean = clean.replace(urlUser, found => hidePassword(found, hide))
  if (/b(?:asic|earer)\s/i.test(clean)) clean = clean.replace(header, keepAround(hide))
  if (clean.includes('=')) clean = clean.replace(signature, keepAround(hide))
  if (/[:=]/.test(clean))
    clean = clean.replace(assignment, (all, name: string, value: string) =>
      value.startsWith('[redacted') || (/^(?:token|secret)\b/i.test(name) && !isRandom(value))
        ? all
        : name + hide(value),
    )
  return clean
}

const keepAround =
  (hide: Hide) =>
  (_: string, before: string, value: string): string =>
    before + hide(value)

/** Hides private keys in PEM, also if their line breaks are escaped or their end is cut. */
const hidePrivateKeys = (text: string, hide: Hide): string => {
  const parts: string[] = []
  let done = 0
  for (let begin = text.indexOf(pemBegin); begin !== -1; begin = text.indexOf(pemBegin, done)) {
    const header = text.indexOf('-----', begin + pemBegin.length)
    const isKey = header !== -1 && text.slice(begin, header).endsWith('PRIVATE KEY')
    const end = isKey ? text.indexOf('-----END ', header) : begin
    const footer = end === -1 ? -1 : text.indexOf('-----', end + pemBegin.length)
    const after = !isKey ? begin + pemBegin.length : footer === -1 ? text.length : footer + 5
    const found = text.slice(begin, after)
    parts.push(text.slice(done, begin), isKey ? hide(found) : found)
    done = after
  }
  return parts.join('') + text.slice(done)
}

const pemBegin = '-----BEGIN '

/** Header and claims are JSON in base64, so each begins with `eyJ`. The signature may be cut. */
const hideWebToken = (word: string, hide: Hide): string => {
  const start = word.indexOf('eyJ')
  return start === -1 || !word.includes('.eyJ', start) ? word : word.slice(0, start) + hide(word.slice(start))
}

/** `://user:password@` */
const hidePassword = (found: string, hide: Hide): string => {
  const colon = found.indexOf(':', 3)
  return colon === -1 ? found : `${found.slice(0, colon + 1)}${hide(found.slice(colon + 1, -1))}@`
}

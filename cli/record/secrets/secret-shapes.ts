import type { Hide } from './hidden-text.ts'

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
export const hideShapes = (text: string, hide: Hide): string => {
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

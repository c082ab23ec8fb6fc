import type { Hide } from './hidden-text.ts'

/** A private key in PEM, also if its line breaks are escaped or its end is cut. */
const privateKey =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----(?:[\s\S]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|[A-Za-z0-9+/=\s\\]*)/g

/** A JSON Web Token: header, claims, and a signature that may be cut. */
const webToken = /eyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?/g

/** The password of a URL: `https://user:password@host`. */
const urlPassword = /([a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*:)([^\s/@'"]+)(@)/gi

/** The credentials of an Authorization header. */
const header = /((?:basic|bearer)\s+)([A-Za-z0-9+/_.~=-]{12,})/gi

/** The parameters of a signed URL. */
const signature =
  /((?:X-Amz-(?:Signature|Security-Token|Credential)|[?&](?:sig|token|access_token|AWSAccessKeyId))=)([^&\s'"]{8,})/gi

/** A line or a member that assigns a value to a secret name: `password: abc`, `aws_secret_access_key = abc`. */
const assignment =
  /((?:password|passwd|passphrase|secret[_-]?(?:access[_-]?)?key|private[_-]?key|client[_-]?secret|(?:api|access|auth|session|refresh|bearer|bootstrap)[_-]?(?:token|key)|client-key-data|token|secret)\\?["']?[ \t]*[:=][ \t]*\\?["']?)([^\s"'\\,;}]{6,})/gi

/** Words after `token:` in a message for people are no secret. */
const isRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text)

/** Hides the parts of a text that look like secrets wherever they are: keys, tokens, passwords in URLs and assignments. */
export const hideShapes = (text: string, hide: Hide): string => {
  if (text.length < 8) return text
  let clean = text
  if (clean.includes('PRIVATE KEY')) clean = clean.replace(privateKey, found => hide(found))
  if (clean.includes('eyJ')) clean = clean.replace(webToken, found => hide(found))
  if (clean.includes('://')) clean = clean.replace(urlPassword, keepAround(hide))
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
  (_: string, before: string, value: string, after: unknown): string =>
    before + hide(value) + (typeof after === 'string' ? after : '')

import { codeOf, messageOf } from '../../../../shared/text/message-of.ts'
import { replaceTexts } from '../../../../shared/text/replace-texts.ts'
import { wasRepeated } from '../client/unanswered.ts'

/**
 * An error of AWS, or of the connection to it. The message is `<doing>: <code>: <text>`. It contains the code, because
 * `awsClassifiers` and users look for it, but no request ids, encoded decisions or secret values. It replaces the SDK's
 * error instead of wrapping it, because that error contains the headers of the exchange.
 */
export class AwsError extends Error {
  override readonly name = 'AwsError'
  /** The error code of AWS (`InvalidChangeBatch`), or of the connection (`ECONNREFUSED`, `TimeoutError`). */
  readonly code: string
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The message without the current action: `<code>: <text>`. */
  readonly said: string
  /** The source of the error: an AWS service; or the SDK, Node, or a proxy that answered instead. */
  readonly origin: ErrorOrigin
  /** True if an earlier attempt of the call got no answer, so it may have taken effect. */
  readonly repeated: boolean

  constructor(
    doing: string,
    answer: {
      readonly code: string
      readonly status: number | undefined
      readonly said: string
      /** Default: AWS. */
      readonly origin?: ErrorOrigin
      /** Default: false. */
      readonly repeated?: boolean
    },
  ) {
    super(`${doing}: ${answer.said}`)
    this.code = answer.code
    this.status = answer.status
    this.said = answer.said
    this.origin = answer.origin ?? 'aws'
    this.repeated = answer.repeated ?? false
  }
}

/** Returns true if AWS refused a call with one of these codes. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof AwsError && codes.includes(error.code)

export type ErrorOrigin = 'aws' | 'client'

export interface DescribeOptions {
  /** The current action, as a gerund: `changing the records of api.example.com in hosted zone Z1`. */
  readonly doing: string
  /** Secret values to hide, even if AWS repeats them. */
  readonly secrets?: readonly string[]
}

/**
 * Maximum number of characters of an external text that are read and repeated, because the text is written into a
 * status.
 */
const longestText = 4_096

/** Returns the `AwsError` for any error of an SDK call. */
export const describeAwsError = (thrown: unknown, { doing, secrets = [] }: DescribeOptions): AwsError => {
  const { code, status, text, origin } = factsOf(thrown)
  const said = [code, text].filter(part => part !== '').join(': ')
  // Removes secrets before the cut, which could leave a part of one.
  const repeated = thrown instanceof Error && wasRepeated(thrown)
  const shown = withoutNoise(cut(withoutSecrets(said, secrets)))
  return new AwsError(doing, { code, status, origin, repeated, said: shown })
}

interface ErrorFacts {
  readonly code: string
  readonly status: number | undefined
  readonly text: string
  readonly origin: ErrorOrigin
}

const factsOf = (thrown: unknown): ErrorFacts => {
  if (!(thrown instanceof Error))
    return { code: '', status: undefined, text: messageOf(thrown), origin: 'client' }
  const status = statusOf(thrown)
  const code = (languageErrors.has(thrown.name) ? codeOf(thrown) : undefined) ?? thrown.name
  // The SDK's names for a response without an AWS error: from a proxy, or empty.
  if (code.startsWith('Unknown') || (code === 'NotFound' && thrown.message === 'UnknownError'))
    return { code, status, text: `an answer with HTTP status ${status}`, origin: 'client' }
  const origin = originOf(thrown, status)
  // `messageOf` reads the members and the cause of a failed connection, and adds the code, which is shown anyway.
  const text = origin === 'aws' ? messagesOf(thrown) : messageOf(thrown).replace(` (${code})`, '')
  return { code: code === 'Error' ? '' : code, status, text: shortText(code, text), origin }
}

/**
 * The SDK marks errors from a service with `$fault` and adds the HTTP status of any response. Errors of the SDK, Node
 * and the language have names that end with `Error` (`TimeoutError`, `CredentialsProviderError`, `Error`); a
 * `SyntaxError` with a status is a response that was not XML.
 */
const originOf = (error: Error, status: number | undefined): ErrorOrigin => {
  if ('$fault' in error && error.$fault !== undefined) return 'aws'
  if (languageErrors.has(error.name)) return 'client'
  return status !== undefined || !error.name.endsWith('Error') ? 'aws' : 'client'
}

const languageErrors: ReadonlySet<string> = new Set([
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'AggregateError',
])

const statusOf = (error: Error): number | undefined => {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null)
    return undefined
  const status = 'httpStatusCode' in error.$metadata ? error.$metadata.httpStatusCode : undefined
  return typeof status === 'number' ? status : undefined
}

/** Route 53 lists the problems of a batch in `messages`, and the message itself may be empty. */
const messagesOf = (error: Error): string => {
  const listed =
    'messages' in error && Array.isArray(error.messages)
      ? error.messages.filter(entry => typeof entry === 'string')
      : []
  const missing = listed.filter(entry => !error.message.includes(entry))
  return [error.message, ...missing].filter(part => part !== '' && part !== 'UnknownError').join('; ')
}

/**
 * For a signature mismatch, AWS adds the whole canonical request, including the session token. The first sentence is
 * enough.
 */
const shortText = (code: string, text: string): string => {
  if (!/signature/i.test(code)) return text
  const end = text.search(/\.\s|\n/)
  return end === -1 ? text : text.slice(0, text[end] === '.' ? end + 1 : end)
}

/** `RequestId: …`, `Request ID: …`, `request id …`; the id is a UUID, or the 16 or more characters of S3. */
const requestId =
  /\b(?:x-amzn-?)?request[\s_-]?id\b["']?(?:\s*[:=])?\s*["']?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z0-9]{16,})["']?/gi

/** Removes the ids with the brackets around them and the comma before them. */
const withoutRequestIds = (text: string): string => {
  const parts = text.split(requestId)
  return parts
    .map((part, index) => {
      const rest = index === 0 ? part : part.replace(/^\s*[)\]]/, '')
      if (index === parts.length - 1) return rest
      const before = withoutEnd(rest, ' \t\n')
      return withoutEnd(/[([]$/.test(before) ? before.slice(0, -1) : before, ' \t\n,;')
    })
    .join('')
}

/** Reads each character once. A regular expression that is not anchored at the start would not. */
const withoutEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * EC2 adds its encoded decision to a refusal: hundreds of characters that differ each time. The text before it names
 * the missing permission.
 */
const decision = /\s?Encoded authorization failure message:\s?\S+/gi

/** Removes values that differ in every response of AWS. Otherwise each retry would change the status. */
export const withoutNoise = (text: string): string => withoutRequestIds(text.replace(decision, ''))

const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  replaceTexts(text, secrets, '<hidden>')

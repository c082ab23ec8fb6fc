import { replaceTexts } from '../../../../shared/contract/replace-texts.ts'

/**
 * What AWS, or the way to it, said. The message reads `<doing>: <code>: <text>`: the code stays in it because
 * `awsClassifiers` and people look for it; request ids, encoded decisions and secret values do not. It replaces the
 * SDK's error instead of wrapping it, because that one carries the headers of the exchange.
 */
export class AwsError extends Error {
  override readonly name = 'AwsError'
  /** The error code of AWS (`InvalidChangeBatch`), or of the connection (`ECONNREFUSED`, `TimeoutError`). */
  readonly code: string
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined
  /** The message without what was being done: `<code>: <text>`. */
  readonly said: string
  /** Who said it: a service of AWS; or the SDK, Node, or something on the way that answered instead. */
  readonly origin: ErrorOrigin

  constructor(
    doing: string,
    answer: {
      readonly code: string
      readonly status: number | undefined
      readonly said: string
      /** Absent: AWS. */
      readonly origin?: ErrorOrigin
    },
  ) {
    super(`${doing}: ${answer.said}`)
    this.code = answer.code
    this.status = answer.status
    this.said = answer.said
    this.origin = answer.origin ?? 'aws'
  }
}

export type ErrorOrigin = 'aws' | 'client'

export interface DescribeOptions {
  /** What was being done, as a gerund: `changing the records of api.example.com in hosted zone Z1`. */
  readonly doing: string
  /** Values that must not be repeated, whatever AWS echoes. */
  readonly secrets?: readonly string[]
}

/** Most of what somebody else said that is looked at and repeated, in characters: it ends up in a status. */
const longestText = 4_096

/** The `AwsError` for whatever an SDK call threw. */
export const describeAwsError = (thrown: unknown, { doing, secrets = [] }: DescribeOptions): AwsError => {
  const { code, status, text, origin } = factsOf(thrown)
  const said = [code, text].filter(part => part !== '').join(': ')
  // Secrets go before the cut, which could leave a part of one.
  return new AwsError(doing, { code, status, origin, said: withoutNoise(cut(withoutSecrets(said, secrets))) })
}

interface ErrorFacts {
  readonly code: string
  readonly status: number | undefined
  readonly text: string
  readonly origin: ErrorOrigin
}

const factsOf = (thrown: unknown): ErrorFacts => {
  if (!(thrown instanceof Error)) {
    return { code: '', status: undefined, text: String(thrown), origin: 'client' }
  }
  const status = statusOf(thrown)
  const code = thrown.name === 'Error' && 'code' in thrown ? String(thrown.code) : thrown.name
  // The SDK's names for an answer in which it found no error of AWS: a proxy's, or an empty one.
  if (code.startsWith('Unknown') || (code === 'NotFound' && thrown.message === 'UnknownError')) {
    return { code, status, text: `an answer with HTTP status ${status}`, origin: 'client' }
  }
  return {
    code: code === 'Error' ? '' : code,
    status,
    text: shortText(code, messagesOf(thrown)),
    origin: originOf(thrown, status),
  }
}

/**
 * The SDK marks what a service answered with `$fault`, and has the HTTP status of any answer. Its own errors, Node's and
 * those of the language have names that end with `Error` (`TimeoutError`, `CredentialsProviderError`, `Error`); a
 * `SyntaxError` with a status is an answer that was no XML.
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

/** Route 53 puts what is wrong with a batch into a list `messages`, and the message itself may be empty. */
const messagesOf = (error: Error): string => {
  const listed =
    'messages' in error && Array.isArray(error.messages)
      ? error.messages.filter(entry => typeof entry === 'string')
      : []
  const missing = listed.filter(entry => !error.message.includes(entry))
  return [error.message, ...missing].filter(part => part !== '' && part !== 'UnknownError').join('; ')
}

/**
 * A signature mismatch is explained by AWS with the whole canonical request, session token included: the first
 * sentence says enough.
 */
const shortText = (code: string, text: string): string => {
  if (!/signature/i.test(code)) return text
  const end = text.search(/\.\s|\n/)
  return end === -1 ? text : text.slice(0, text[end] === '.' ? end + 1 : end)
}

/** `RequestId: …`, `Request ID: …`, `request id …`; the id is a UUID, or the 16 characters and more of S3. */
const requestId =
  /\b(?:x-amzn-?)?request[\s_-]?id\b["']?(?:\s*[:=])?\s*["']?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z0-9]{16,})["']?/gi

/** Takes out the ids with the brackets around them and the comma before. */
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

/** Looks at each character once, which an expression that is not bound to the start would not. */
const withoutEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * EC2 puts what it has decided on into the refusal, encoded, in hundreds of characters that are others each time; which
 * permission is missing stands in the text before.
 */
const decision = /\s?Encoded authorization failure message:\s?\S+/gi

/** Removes values that differ in every response of AWS. Otherwise each retry would change the status. */
export const withoutNoise = (text: string): string => withoutRequestIds(text.replace(decision, ''))

const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  replaceTexts(text, secrets, '<hidden>')

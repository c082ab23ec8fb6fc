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

  constructor(
    doing: string,
    answer: { readonly code: string; readonly status: number | undefined; readonly said: string },
  ) {
    super(`${doing}: ${answer.said}`)
    this.code = answer.code
    this.status = answer.status
    this.said = answer.said
  }
}

export interface DescribeOptions {
  /** What was being done, as a gerund: `changing the records of api.example.com in hosted zone Z1`. */
  readonly doing: string
  /** Values that must not be repeated, whatever AWS echoes. */
  readonly secrets?: readonly string[]
}

/** The `AwsError` for whatever an SDK call threw. */
export const describeAwsError = (thrown: unknown, { doing, secrets = [] }: DescribeOptions): AwsError => {
  const { code, status, text } = factsOf(thrown)
  const said = [code, text].filter(part => part !== '').join(': ')
  return new AwsError(doing, { code, status, said: withoutSecrets(withoutNoise(said), secrets) })
}

const factsOf = (thrown: unknown): { code: string; status: number | undefined; text: string } => {
  if (!(thrown instanceof Error)) return { code: '', status: undefined, text: String(thrown) }
  const status = statusOf(thrown)
  const code = thrown.name === 'Error' && 'code' in thrown ? String(thrown.code) : thrown.name
  // The SDK's name for an answer in which it found no error of AWS: a proxy's, or an empty one.
  if (code.startsWith('Unknown')) return { code, status, text: `an answer with HTTP status ${status}` }
  return {
    code: code === 'Error' ? '' : code,
    status,
    text: shortText(code, messagesOf(thrown)),
  }
}

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
const shortText = (code: string, text: string): string =>
  /signature/i.test(code) ? (text.split('\n')[0] ?? '').replace(/(\.)\s.*$/s, '$1') : text

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** `(RequestId: …)`, `Request ID: …;`, `request id …`; the id is a UUID, or the 16 characters and more of S3. */
const requestId = new RegExp(
  `[\\s,;]*[([]?\\s*\\b(?:x-amzn-?)?request[\\s_-]?id\\b["']?\\s*[:=]?\\s*["']?(?:${uuid}|[A-Z0-9]{16,})["']?\\s*[)\\]]?`,
  'gi',
)

/**
 * EC2 puts what it has decided on into the refusal, encoded, in hundreds of characters that are others each time; which
 * permission is missing stands in the text before.
 */
const decision = /\s*Encoded authorization failure message:\s*\S+/gi

/** What is another one in each answer would make every attempt of an object a change of its status. */
const withoutNoise = (text: string): string => text.replace(decision, '').replace(requestId, '')

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, '<hidden>')), text)

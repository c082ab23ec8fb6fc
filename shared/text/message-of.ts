/**
 * Returns the reason of a thrown value for readers: the message of an error, else the printed value. Adds what the
 * platform's errors omit: the members of an `AggregateError`, the system's code, and the cause of a failed connection.
 * Never empty. Never throws, because error handling must always finish.
 *
 * The causes of other errors are not added: their authors wrote a sentence of their own, often to hide a content.
 *
 * @example
 * const reading = kubernetes.list(configMaps).catch(error => log.warn('list failed', { reason: messageOf(error) }))
 */
export const messageOf = (thrown: unknown): string => {
  try {
    return reasonOf(thrown, deepest)
  } catch {
    return unreadable
  }
}

/** Returns the thrown value if it is an error with a text, else an error with the value's text. Never throws. */
export const errorOf = (thrown: unknown): Error => {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown
    return new Error(reasonOf(thrown, deepest), { cause: thrown })
  } catch {
    return new Error(unreadable)
  }
}

/** Returns the code of an error of Node or an SDK: ECONNREFUSED, CERT_HAS_EXPIRED. Never throws. */
export const codeOf = (thrown: unknown): string | undefined => {
  try {
    const { code } = Object(thrown)
    return typeof code === 'string' && code !== '' ? code : undefined
  } catch {
    return undefined
  }
}

const unreadable = 'a value without a text was thrown'

/** Levels of causes and members that are read; a chain may be a circle. */
const deepest = 5

/** Members of an `AggregateError` that are named: two families of addresses, with a few addresses each. */
const mostMembers = 8

/** Codes of the system, TLS, HTTP and undici. Codes of other errors (parsers, arguments, a cloud) are no reasons. */
const connectionCode = /^(?:E[A-Z\d]+|(?:EAI|UND_ERR|HPE|ERR_(?:TLS|SSL|HTTP2|SOCKET|STREAM))_\w+)$/
/** `UNABLE_TO_VERIFY_LEAF_SIGNATURE`: codes of OpenSSL. */
const certificateCode = /CERT|ISSUER|SIGNATURE/

const isOfConnection = (code: string): boolean => connectionCode.test(code) || certificateCode.test(code)

/** Messages of `fetch`, which has the reason only in its cause. */
const withoutReason = /^(?:fetch failed|terminated|)$/

/** Errors from another realm or bundle also have a message. */
const reasonOf = (thrown: unknown, depth: number): string => {
  const { message, cause, errors, name, socket } = Object(thrown)
  const own = String(thrown instanceof Error ? thrown.message : (message ?? thrown)).trim()
  const parts = depth === 0 ? [] : Array.isArray(errors) ? membersOf(own, errors, depth) : []
  if (depth > 0 && Object(cause) === cause && (withoutReason.test(own) || isHidden(cause, own, depth)))
    parts.push(reasonOf(cause, depth - 1))
  const text = [own, [...new Set(parts)].join('; ')].filter(part => part !== '').join(': ')
  const code = codeOf(thrown)
  // undici says "other side closed" without the address.
  const address = socket?.remoteAddress === undefined ? [] : [`${socket.remoteAddress}:${socket.remotePort}`]
  const isShown = code !== undefined && (text === '' || isOfConnection(code))
  const beside = [...(isShown ? [code] : []), ...address].filter(part => !text.includes(part)).join(', ')
  if (text === '') return beside || `${String(name ?? 'an error')} without a message`
  return beside === '' ? text : `${text} (${beside})`
}

/** An author of an `AggregateError` may have named its members; then they are not repeated. */
const membersOf = (own: string, errors: readonly unknown[], depth: number): string[] => {
  const members = errors.slice(0, mostMembers).map(member => reasonOf(member, depth - 1))
  return members.some(member => own.includes(member)) ? [] : members
}

/** Returns true if the cause, or its cause, is a failed connection that the text does not name. */
const isHidden = (cause: unknown, text: string, depth: number): boolean => {
  const code = codeOf(cause)
  if (code !== undefined && isOfConnection(code)) return !text.includes(code)
  const { cause: next } = Object(cause)
  return depth > 0 && Object(next) === next && isHidden(next, text, depth - 1)
}

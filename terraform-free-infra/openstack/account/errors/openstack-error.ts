import { codeOf, messageOf } from '../../../../shared/text/message-of.ts'
import { replaceTexts } from '../../../../shared/text/replace-texts.ts'
import type { OpenStackAnswer } from '../client/connection.ts'

/** The facts of an answer that was no success, or of a request without an answer. */
export interface RefusedAnswer {
  /** `network`, `compute`: the type of the service in the catalog. */
  readonly service: string
  /** The HTTP status. Undefined: no answer arrived. */
  readonly status: number | undefined
  /** The type of the error: `OverQuota`, `conflictingRequest`, or `ECONNREFUSED`. Empty if there is none. */
  readonly code: string
  /** The message without the action: `OverQuota: Quota exceeded for resources: ['network'].` */
  readonly said: string
  /** The source: a service of OpenStack; or Node, or a proxy that answered instead. */
  readonly origin: 'openstack' | 'client'
  /** True if an earlier attempt of the request got no answer, so it may have taken effect. */
  readonly repeated: boolean
}

/**
 * An error of OpenStack, or of the connection to it. The message is `<doing>: <code>: <text>`. It contains no request
 * ids and no secret values.
 */
export class OpenStackError extends Error implements RefusedAnswer {
  override readonly name = 'OpenStackError'
  readonly service: string
  readonly status: number | undefined
  readonly code: string
  readonly said: string
  readonly origin: 'openstack' | 'client'
  readonly repeated: boolean

  constructor(doing: string, { service, status, code, said, origin, repeated }: RefusedAnswer) {
    super(`${doing}: ${said}`)
    this.service = service
    this.status = status
    this.code = code
    this.said = said
    this.origin = origin
    this.repeated = repeated
  }
}

/** Returns true if OpenStack refused a call with one of these codes. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof OpenStackError && codes.includes(error.code)

/**
 * Returns true if the subject of a call does not exist. A login that Keystone answers with 404 says nothing about it: the
 * application credential is gone.
 */
export const isNotFound = (error: unknown): boolean =>
  error instanceof OpenStackError &&
  error.origin === 'openstack' &&
  error.status === 404 &&
  error.service !== 'identity'

/** The most characters of an external text that are repeated, because the text is written into a status. */
const longestText = 2_048

/** The input of `refusalIn` and `failureOf`. */
export interface RefusedCall {
  readonly service: string
  readonly doing: string
  readonly secrets: readonly string[]
  readonly repeated: boolean
}

/** Returns the error of an answer with a status of 300 or more. */
export const refusalIn = (
  answer: OpenStackAnswer,
  { service, doing, secrets, repeated }: RefusedCall,
): OpenStackError => {
  const { code, text, origin } = readRefusal(answer)
  const said = [code, text].filter(part => part !== '').join(': ')
  return new OpenStackError(doing, {
    service,
    status: answer.status,
    code,
    origin,
    repeated,
    said: shownText(said, secrets),
  })
}

/** Returns the error of a request without an answer. */
export const failureOf = (
  thrown: unknown,
  { service, doing, secrets, repeated }: RefusedCall,
): OpenStackError =>
  new OpenStackError(doing, {
    service,
    status: undefined,
    code: codeOf(thrown) ?? '',
    origin: 'client',
    repeated,
    said: shownText(messageOf(thrown), secrets),
  })

const shownText = (text: string, secrets: readonly string[]): string => {
  // Secrets before the cut, which could leave a part of one.
  const shown = replaceTexts(text, secrets, '<hidden>')
    .replace(/\(?\breq-[0-9a-f-]{36}\)?/g, '')
    .trim()
  return shown.length > longestText ? `${shown.slice(0, longestText)}…` : shown
}

interface ReadRefusal extends Pick<RefusedAnswer, 'code' | 'origin'> {
  readonly text: string
}

/**
 * Reads the error of a service. Each has its own form: Neutron `{NeutronError: {type, message}}`, Nova
 * `{conflictingRequest: {message}}`, Keystone `{error: {title, message}}`, Designate `{type, message}` or `{type, errors:
 * {errors: [{path, message}]}}`, Octavia `{faultstring}`. Swift answers in HTML, and with a transaction id that a proxy does not have.
 */
const readRefusal = ({ status, headers, body }: OpenStackAnswer): ReadRefusal => {
  const read = jsonOf(body)
  if (read === undefined) {
    if (headers['x-trans-id'] !== undefined)
      return { code: '', text: `Swift answered with HTTP status ${status}`, origin: 'openstack' }
    const isHtml = /^\s*</.test(body)
    // Keystone's middleware answers in plain text.
    if (!isHtml && headers['x-openstack-request-id'] !== undefined)
      return { code: '', text: body.trim() || `an answer with HTTP status ${status}`, origin: 'openstack' }
    const form = isHtml ? 'in HTML' : 'without an error of OpenStack'
    return {
      code: '',
      text: `an answer ${form} with HTTP status ${status}; check proxies and endpoints on the way`,
      origin: 'client',
    }
  }
  const { NeutronError, error, faultstring, type, message, badRequest: _, ...others } = read
  if (typeof NeutronError === 'string') return { code: '', text: NeutronError, origin: 'openstack' }
  if (isRecord(NeutronError))
    return {
      code: textOf(NeutronError.type),
      text: [textOf(NeutronError.message), textOf(NeutronError.detail)].filter(part => part !== '').join(' '),
      origin: 'openstack',
    }
  if (isRecord(error)) return { code: textOf(error.title), text: textOf(error.message), origin: 'openstack' }
  if (typeof faultstring === 'string')
    return { code: `HTTP ${status}`, text: faultstring, origin: 'openstack' }
  if (typeof message === 'string')
    return { code: textOf(type) || textOf(read.title), text: message, origin: 'openstack' }
  if (isRecord(read.errors) && Array.isArray(read.errors.errors))
    return { code: textOf(type), text: read.errors.errors.map(fieldText).join('; '), origin: 'openstack' }
  // Nova: the only member has the name of the error.
  const [named] = Object.entries({
    ...others,
    ...(read.badRequest !== undefined && { badRequest: read.badRequest }),
  })
  if (named !== undefined && isRecord(named[1]))
    return { code: named[0], text: textOf(named[1].message), origin: 'openstack' }
  return { code: '', text: `an answer with HTTP status ${status}`, origin: 'openstack' }
}

/** `records.0: 'hello world' is not a 'TXT' Record`: a field of an invalid object, as Designate names it. */
const fieldText = (problem: unknown): string => {
  const { path, message } = Object(problem)
  return [Array.isArray(path) ? path.join('.') : '', textOf(message)].filter(part => part !== '').join(': ')
}

const jsonOf = (body: string): Readonly<Record<string, unknown>> | undefined => {
  if (!/^\s*\{/.test(body)) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

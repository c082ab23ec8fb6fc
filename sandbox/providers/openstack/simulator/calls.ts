import { isRecord, parsedJson, recordOf, stringOf } from '../../../../shared/decode/record-of.ts'
import type { CloudCall } from '../../../seed/seed.ts'
import type { ServiceAnswer } from './core/message.ts'

/** A request to OpenStack with its answer. */
export interface RestCall {
  readonly service: string
  readonly region: string
  readonly method: string
  /** With its query: `/v2.0/networks?name=a`. */
  readonly path: string
  readonly body: string
  /** Undefined: the connection broke. */
  readonly answer: ServiceAnswer | undefined
}

/** Returns a call as the sandbox shows it. The action has placeholders for ids: `DELETE networks/{id}`. */
export const cloudCallOf = ({ service, region, method, path, body, answer }: RestCall): CloudCall => {
  const isRead = method === 'GET' || method === 'HEAD' || service === 'identity'
  const given = service === 'identity' ? undefined : parsedJson(body)
  const code = answer === undefined ? 'connection dropped' : codeIn(answer)
  const [plain = ''] = path.split('?')
  return {
    service,
    action: `${method} ${shortPath(plain)}`,
    region,
    input: { path, ...(isRecord(given) && given) },
    isRead,
    about: isRead ? '' : aboutOf(plain, given),
    answer: answer === undefined ? code : [answer.status, code].filter(part => part !== '').join(' '),
    ...((answer === undefined || answer.status >= 400) && { error: code || `HTTP ${answer?.status}` }),
    isNotThere: answer?.status === 404,
  }
}

const uuidPattern = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/

const named: ReadonlySet<string> = new Set(['os-keypairs'])

const shortPath = (path: string): string => {
  const segments = path
    .split('/')
    .filter(segment => segment !== '' && !/^v\d/.test(segment) && segment !== 'lbaas')
  return segments
    .map((segment, index) => {
      if (segment.startsWith('AUTH_')) return 'account'
      const isId = uuidPattern.test(segment) || named.has(segments[index - 1] ?? '')
      return isId ? '{id}' : segment
    })
    .join('/')
}

/** The name in the body, or else the id in the path. */
const aboutOf = (path: string, body: unknown): string => {
  const [only] = Object.values(recordOf(body))
  const about =
    stringOf(recordOf(only).name) ||
    stringOf(recordOf(body).name) ||
    (path.split('/').findLast(segment => uuidPattern.test(segment)) ?? path.split('/').at(-1) ?? '')
  return about === '' ? '' : ` ${about}`
}

/** The type of an error. Empty: success, or an answer without a type. */
const codeIn = ({ status, body }: ServiceAnswer): string => {
  if (status < 400) return ''
  const read = recordOf(parsedJson(body))
  const [name = ''] = Object.keys(read)
  return (
    stringOf(recordOf(read.NeutronError).type) ||
    stringOf(recordOf(read.error).title) ||
    stringOf(read.type) ||
    (isRecord(read[name]) ? name : '')
  )
}

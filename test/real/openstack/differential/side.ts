import type { SendRequest } from '../../../../terraform-free-infra/openstack/account/client/connection.ts'
import type { SequenceCall } from './sequences.ts'

/** The answer of one side, as far as both must answer alike. */
export interface SideAnswer {
  readonly status: number
  /** The type of an error: `NetworkInUse`. Empty for a success. */
  readonly error: string
  readonly body: unknown
}

/** A cloud of the comparison: the real servers, or the simulated ones. */
export interface Side {
  play(call: SequenceCall): Promise<SideAnswer>
  /** Forgets the ids of a sequence, and returns those of a kind. */
  restart(): ReadonlyMap<string, readonly (string | undefined)[]>
}

export interface SideOptions {
  readonly send: SendRequest
  /** The URL of a service without the version. */
  readonly url: (service: SequenceCall['service']) => string
  readonly token: string
  /** The ids of what the operator offers, by kind. */
  readonly offered: ReadonlyMap<string, readonly string[]>
}

/** Unlike our client, it waits for a busy server as long as the caller does. */
export const sendPlainly: SendRequest = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) })
  return { status: response.status, headers: {}, body: await response.text() }
}

const nothing = '00000000-0000-0000-0000-000000000000'

export const createSide = ({ send, url, token, offered }: SideOptions): Side => {
  let ids = new Map<string, readonly (string | undefined)[]>(offered)
  const filled = (text: string) =>
    text.replace(/\{(\w+) (\d+)\}/g, (_, kind, index) => ids.get(kind)?.[Number(index)] ?? nothing)
  return {
    play: async ({ service, method, path, body, makes }) => {
      const answer = await send({
        method,
        url: `${url(service)}${filled(path)}`,
        headers: {
          accept: 'application/json',
          'x-auth-token': token,
          ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: filled(typeof body === 'string' ? body : JSON.stringify(body)) }),
        tls: {},
        signal: AbortSignal.timeout(120_000),
      })
      const read = /^\s*[[{]/.test(answer.body) ? JSON.parse(answer.body) : undefined
      const isError = answer.status >= 300
      if (makes !== undefined) {
        const id = isError ? undefined : (read[makes]?.id ?? read[makes]?.name ?? read.id)
        ids.set(makes, [...(ids.get(makes) ?? []), id])
      }
      return { status: answer.status, error: isError ? typeOf(read) : '', body: read }
    },
    restart: () => {
      const former = ids
      ids = new Map(offered)
      return former
    },
  }
}

/** Each service has its own form: see `openstack-error.ts`. */
const typeOf = (body: unknown): string => {
  const { NeutronError, type } = Object(body)
  if (NeutronError !== undefined) return Object(NeutronError).type ?? 'text'
  if (typeof type === 'string') return type
  return Object.keys(Object(body))[0] ?? ''
}

/** Returns where a value has another form than the real one: a field that the real one lacks, or of another type. */
export const shapeDifferences = (simulated: unknown, real: unknown, at = ''): readonly string[] => {
  if (simulated === null || real === null || simulated === undefined) return []
  const kind = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)
  if (kind(simulated) !== kind(real)) return [`${at}: ${kind(simulated)}, really ${kind(real)}`]
  if (Array.isArray(simulated) && Array.isArray(real))
    return simulated.length === 0 || real.length === 0
      ? []
      : shapeDifferences(simulated[0], real[0], `${at}[]`)
  if (typeof simulated !== 'object') return []
  return Object.entries(simulated).flatMap(([field, value]) =>
    field in Object(real)
      ? shapeDifferences(value, Object(real)[field], `${at}.${field}`)
      : [`${at}.${field} does not exist really`],
  )
}

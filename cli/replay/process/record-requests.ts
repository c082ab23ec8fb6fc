import diagnostics from 'node:diagnostics_channel'
import { isSecretName } from '../../record/secrets/secret-names.ts'

/** An HTTP request that a function sent. It has no header, body, or query value with the name of a secret. */
export interface RecordedRequest {
  readonly method: string
  /** With its port, if it is not that of the scheme. */
  readonly host: string
  /** With its query, percent-decoded. Values with names such as `token` are `…`. */
  readonly path: string
  /** Absent: no answer arrived. */
  readonly status?: number
}

/** A request of `fetch` (undici). */
interface FetchMessage {
  readonly request: { readonly origin: string; readonly method: string; readonly path: string }
  readonly response: { readonly statusCode: number }
}

/** A request of `node:http` or `node:https`. */
interface ClientMessage {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly host: string
    readonly getHeader: (name: string) => unknown
  }
  readonly response: { readonly statusCode?: number }
}

/**
 * Records the HTTP/1 requests of this process until it ends. The returned function returns the requests since its last
 * call, in the order in which they were sent.
 */
export const recordRequests = (): (() => readonly RecordedRequest[]) => {
  let sent = new Map<object, RecordedRequest>()
  const on = <M>(channel: string, listener: (message: M) => void) =>
    diagnostics.subscribe(channel, message => listener(message as M))
  const answered = (request: object, status: number | undefined) => {
    const found = sent.get(request)
    if (found !== undefined && status !== undefined) sent.set(request, { ...found, status })
  }
  on<FetchMessage>('undici:request:create', ({ request }) => {
    const { origin, method, path } = request
    sent.set(request, { method, host: origin.replace(/^\w+:\/\//, ''), path: shownPath(path) })
  })
  on<FetchMessage>('undici:request:headers', ({ request, response }) =>
    answered(request, response.statusCode),
  )
  on<ClientMessage>('http.client.request.start', ({ request }) => {
    const { method, path, host } = request
    sent.set(request, { method, host: String(request.getHeader('host') ?? host), path: shownPath(path) })
  })
  on<ClientMessage>('http.client.response.finish', ({ request, response }) =>
    answered(request, response.statusCode),
  )
  return () => {
    const requests = [...sent.values()]
    sent = new Map()
    return requests
  }
}

/** Names of query parameters that are no fields of objects: those of signed URLs, and the key of an API. */
const secretParameter = /^(?:key|code)$|credential$|sig(?:nature)?$/i

const shownPath = (path: string): string => {
  const start = path.indexOf('?')
  if (start === -1) return decoded(path)
  const parameters = path
    .slice(start + 1)
    .split('&')
    .map(parameter => {
      const [name = '', value] = parameter.split(/=(.*)/s)
      const isSecret = isSecretName(decoded(name)) || secretParameter.test(decoded(name))
      return value === undefined ? decoded(name) : `${decoded(name)}=${isSecret ? '…' : decoded(value)}`
    })
  return `${decoded(path.slice(0, start))}?${parameters.join('&')}`
}

/** Decoded, so that the values of Secrets are recognized. A text that is not percent-encoded is unchanged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import { Readable } from 'node:stream'
import { buildQueryString, type HttpRequest, HttpResponse } from '@smithy/core/protocols'
import type { AwsConnection, AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import type { CloudHttpRequest, SendCloudHttp } from '../../../terraform-free-infra/cloud/http-sender.ts'
import type { ConnectSettings } from '../provider.ts'

/** Connects to AWS over the network. Loads the codecs that decode calls only if calls are reported. */
export const connectAws = async ({ endpoint, onCall, send }: ConnectSettings): Promise<AwsConnection> => {
  const handler = send === undefined ? createRequestHandler() : handlerOver(send)
  const requestHandler =
    onCall === undefined ? handler : (await import('./record-calls.ts')).recordCalls(handler, onCall)
  return { requestHandler, ...(endpoint !== undefined && { endpoint }) }
}

/** Sends the requests of the SDK as data. A plan neither sends nor receives bytes that are no text. */
const handlerOver = (send: SendCloudHttp): AwsRequestHandler => ({
  handle: async (request, { abortSignal } = {}) => {
    const body = textOf(request.body)
    const { status, headers, ...answer } = await send({
      // The SDK has no other methods.
      method: request.method.toUpperCase() as CloudHttpRequest['method'],
      url: urlOf(request),
      headers: { ...request.headers },
      ...(body !== '' && { body }),
      tls: {},
      // The SDK's type also allows an older signal. Every caller here passes the standard one.
      signal: (abortSignal as AbortSignal | undefined) ?? new AbortController().signal,
    })
    const known = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return {
      response: new HttpResponse({
        statusCode: status,
        headers: Object.fromEntries(known),
        body: Readable.from([Buffer.from(answer.body)]),
      }),
    }
  },
})

/** Equal to the URL that the SDK has signed. */
const urlOf = ({ protocol, hostname, port, path, query }: HttpRequest): string => {
  const search = buildQueryString(query ?? {})
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search === '' ? '' : `?${search}`}`
}

const textOf = (body: unknown): string => {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  throw new TypeError('a request of a plan has a body that is no text')
}

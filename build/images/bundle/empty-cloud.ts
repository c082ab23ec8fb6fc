import { Readable } from 'node:stream'

interface EmptyCloudRequest {
  readonly method: string
  readonly body?: unknown
}

/**
 * The connection of a program that warms up: an empty cloud that speaks the protocols of the provider SDKs. An action
 * returns an empty list, and a read of a path returns not found. Nothing is sent.
 */
export const emptyCloud = {
  endpoint: 'http://127.0.0.1:9',
  requestHandler: {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async ({ method, body }: EmptyCloudRequest) => {
      const { statusCode, text } = answerTo(method, String(body ?? ''))
      const xml = `<?xml version="1.0" encoding="UTF-8"?>${text}`
      return {
        response: {
          statusCode,
          headers: { 'content-type': 'text/xml' },
          body: Readable.from([Buffer.from(xml)]),
        },
      }
    },
    updateHttpClientConfig: (): void => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: (): void => undefined,
  },
}

const answerTo = (method: string, body: string): { readonly statusCode: number; readonly text: string } => {
  const action = /Action=(\w+)/.exec(body)?.[1]
  if (action !== undefined)
    return { statusCode: 200, text: `<${action}Response><${action}Result/></${action}Response>` }
  if (method !== 'GET' && method !== 'HEAD') return { statusCode: 200, text: '' }
  return {
    statusCode: 404,
    text: '<Error><Code>NoSuchBucket</Code><Message>there is nothing</Message></Error>',
  }
}

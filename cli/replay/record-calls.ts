import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { redacted } from '../../sandbox/aws/calls/call-log.ts'
import { createCodec } from '../../sandbox/aws/codec/create-codec.ts'
import { fromSdkRequest } from '../../sandbox/aws/codec/sdk-message.ts'
import { identify } from '../../sandbox/aws/serve/identify.ts'
import { createServices } from '../../sandbox/aws/services.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/aws.ts'
import type { AwsCall } from './replayed-event.ts'

const services = createServices()

/** Notes every call that goes through a request handler, read back with the simulator's codecs. */
export const recordCalls = (inner: AwsRequestHandler, note: (call: AwsCall) => void): AwsRequestHandler => ({
  handle: async (request, options) => {
    const wire = await fromSdkRequest(request)
    const call = await describe({ ...wire, headers: { host: request.hostname, ...wire.headers } })
    try {
      const { response } = await inner.handle(request, options)
      if (response.statusCode < 400) {
        note(call)
        return { response }
      }
      const body = await buffer(response.body as Readable)
      note({ ...call, error: errorCode(body.toString('utf8')) ?? `HTTP ${response.statusCode}` })
      response.body = body
      return { response }
    } catch (error) {
      note({ ...call, error: (error as { readonly code?: string }).code ?? 'no answer' })
      throw error
    }
  },
})

const describe = async (wire: Parameters<typeof identify>[1]): Promise<AwsCall> => {
  const { service, name, action } = identify(services, wire)
  if (service === undefined) return { service: name, action: action(), input: {} }
  const { operation, readInput } = createCodec(service.model).route((await service.unwrap?.(wire)) ?? wire)
  const input = redacted(operation.input, readInput()) as AwsCall['input']
  return { service: service.model.name, action: operation.name, input }
}

/** The code in an error document, XML or JSON. */
const errorCode = (body: string): string | undefined =>
  /<Code>([\w.]+)<\/Code>/.exec(body)?.[1] ?? /"(?:__type|code)"\s*:\s*"(?:[^"#]*#)?([\w.]+)"/.exec(body)?.[1]

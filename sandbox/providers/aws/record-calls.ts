import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import type { CloudCall } from '../../seed/seed.ts'
import {
  createCodec,
  createServices,
  detailsOf,
  fromSdkRequest,
  identify,
  isNotThere,
  isRead,
  redacted,
} from './simulator/aws.ts'

const services = createServices()

/** Records every call through a request handler, decoded with the simulator's codecs. */
export const recordCalls = (
  inner: AwsRequestHandler,
  note: (call: CloudCall) => void,
): AwsRequestHandler => ({
  handle: async (request, options) => {
    const wire = await fromSdkRequest(request)
    const call = await describe({ ...wire, headers: { host: request.hostname, ...wire.headers } })
    try {
      const { response } = await inner.handle(request, options)
      const { statusCode } = response
      if (statusCode < 400) {
        note(call)
        return { response }
      }
      const body = await buffer(response.body as Readable)
      const code = errorCode(body.toString('utf8'))
      const answer = code === undefined ? `${statusCode}` : `${statusCode} ${code}`
      note({ ...call, answer, error: code ?? `HTTP ${statusCode}`, isNotThere: isNotThere(code) })
      response.body = body
      return { response }
    } catch (error) {
      const code = (error as { readonly code?: string }).code ?? 'no answer'
      note({ ...call, answer: code, error: code })
      throw error
    }
  },
})

/** Describes a call as a successful one. */
const describe = async (wire: Parameters<typeof identify>[1]): Promise<CloudCall> => {
  const { service, name, action } = identify(services, wire)
  if (service === undefined) return callOf(name, action(), {})
  const { operation, readInput } = createCodec(service.model).route((await service.unwrap?.(wire)) ?? wire)
  const input = redacted(operation.input, readInput()) as CloudCall['input']
  return callOf(service.model.name, operation.name, input)
}

const callOf = (service: string, action: string, input: CloudCall['input']): CloudCall => ({
  service,
  action,
  region: undefined,
  input,
  isRead: isRead({ action }),
  about: detailsOf({ action, input }),
  answer: '200',
  isNotThere: false,
})

/** The code in an error document, XML or JSON. */
const errorCode = (body: string): string | undefined =>
  /<Code>([\w.]+)<\/Code>/.exec(body)?.[1] ?? /"(?:__type|code)"\s*:\s*"(?:[^"#]*#)?([\w.]+)"/.exec(body)?.[1]

import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { operation as operationSchema } from '@smithy/core/schema'
import type { ClientProtocol, HttpRequest, HttpResponse, StaticOperationSchema } from '@smithy/types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCodec } from './create-codec.ts'
import type { ModelOperation } from './model.ts'
import { fromSdkRequest, toSdkResponse } from './sdk-message.ts'
import { valuesOf } from './testing/schema-values.ts'
import { type Subject, subjects } from './testing/subjects.ts'

const protocolOf = ({ sdk }: Subject) => sdk.config.protocol as ClientProtocol<HttpRequest, HttpResponse>

const sdkOperation = ({ client }: Subject, name: string) => {
  const [, namespace, , traits, input, output] = client[`${name}$`] as StaticOperationSchema
  return operationSchema(namespace, name, traits, input, output)
}

const contextOf = ({ sdk, model }: Subject, input: object) => ({
  ...sdk.config,
  endpoint: async () => ({
    protocol: 'https:',
    hostname: 'aws.test',
    path: model.name === 's3' && 'Bucket' in input ? `/${encodeURIComponent(String(input.Bucket))}` : '/',
  }),
})

/** Absent, null and empty are equal in most protocols. Dates and bytes do not change. */
const pruned = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (value instanceof Date) return { time: value.getTime() }
  if (Array.isArray(value)) {
    const items = value.map(pruned).filter(item => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const entries = Object.entries(value)
    .filter(([name]) => name !== '$metadata')
    .map(([name, item]) => [name, pruned(item)])
    // In S3 an empty root means us-east-1, and clients read it as an absent location.
    .filter(([name, item]) => item !== undefined && !(name === 'LocationConstraint' && item === ''))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const streamOf = ({ output }: ModelOperation): string | undefined =>
  output.isStructSchema()
    ? [...output.structIterator()].find(([, member]) => member.isStreaming())?.[0]
    : undefined

/** The SDK returns an unread stream. */
const drained = async (output: object, stream: string | undefined): Promise<Record<string, unknown>> => {
  const members: Record<string, unknown> = { ...output }
  if (stream === undefined) return members
  const body = members[stream]
  return body instanceof Readable ? { ...members, [stream]: new Uint8Array(await buffer(body)) } : members
}

/**
 * Operations that the simulator cannot support: one responds with a stream of events, the other uses a host that is not
 * S3's.
 */
const unspoken = {
  request: ['s3:WriteGetObjectResponse'],
  response: ['s3:SelectObjectContent'],
}

/** The SDK sets the type of a body without one. */
const typed = (given: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>): object =>
  'ContentType' in given ? read : { ...read, ContentType: undefined }

/** Tries each operation with values of a schema. Rejects with the name and the error of each failure. */
const withEach = async (
  { model }: Subject,
  side: 'request' | 'response',
  holds: (operation: ModelOperation, value: Record<string, unknown>) => Promise<void>,
): Promise<void> => {
  const failures: string[] = []
  for (const operation of model.operations.values()) {
    if (unspoken[side].includes(`${model.name}:${operation.name}`)) continue
    const schema = side === 'request' ? operation.input : operation.output
    const values = schema.isStructSchema()
      ? valuesOf(schema, { side, protocol: model.protocol })
      : fc.constant({})
    const property = fc.asyncProperty(values as fc.Arbitrary<Record<string, unknown>>, value =>
      holds(operation, value),
    )
    const result = await fc.check(property, { numRuns: 10 })
    if (result.failed)
      failures.push(`${operation.name}: ${fc.defaultReportMessage(result)}\n${result.errorInstance}`)
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'))
}

const commandsOf = (client: object): string[] =>
  Object.keys(client)
    .filter(name => /^[A-Z].*Command$/.test(name))
    .map(name => name.slice(0, -'Command'.length))

test('each AWS client among the dependencies is tested', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: Record<string, string> }
  const clients = Object.keys(dependencies).filter(name => name.startsWith('@aws-sdk/client-'))
  expect(subjects.map(({ packageName }) => packageName).toSorted()).toEqual(clients.toSorted())
})

describe.each(subjects.map(subject => [subject.packageName, subject] as const))(
  'the codec for %s',
  (_, subject) => {
    const { model } = subject
    const codec = createCodec(model)

    test('knows every command of the client', () => {
      expect([...model.operations.keys()].toSorted()).toEqual(commandsOf(subject.client).toSorted())
    })

    test('reads what the SDK writes, for each operation', () =>
      withEach(subject, 'request', async (operation, input) => {
        const request = await protocolOf(subject).serializeRequest(
          sdkOperation(subject, operation.name),
          input,
          contextOf(subject, input) as never,
        )
        const routed = codec.route(await fromSdkRequest(request))
        expect(routed.operation.name).toBe(operation.name)
        expect(pruned(typed(input, routed.readInput()))).toEqual(pruned(input))
      }))

    test('writes what the SDK reads, for each operation', () =>
      withEach(subject, 'response', async (operation, output) => {
        const stream = streamOf(operation)
        const response = codec.encode(operation, output, 'request-id')
        const read = await protocolOf(subject).deserializeResponse(
          sdkOperation(subject, operation.name),
          contextOf(subject, {}) as never,
          toSdkResponse(response, stream !== undefined) as HttpResponse,
        )
        expect(pruned(typed(output, await drained(read, stream)))).toEqual(pruned(output))
      }))

    test('writes each modelled error so that the SDK throws it with its name', async () => {
      const [operation] = model.operations.values()
      if (!operation) throw new Error('a service without operations')
      for (const [code, shape] of model.errors) {
        if (code.endsWith('ServiceException')) continue
        const response = codec.encodeError({ code, message: `<${code}>` }, 'request-id')
        const thrown: unknown = await protocolOf(subject)
          .deserializeResponse(
            sdkOperation(subject, operation.name),
            contextOf(subject, {}) as never,
            toSdkResponse(response, false) as HttpResponse,
          )
          .catch((error: unknown) => error)
        expect(thrown).toMatchObject({
          name: shape.schema.getName(),
          message: `<${code}>`,
          $metadata: { httpStatusCode: shape.status, requestId: 'request-id' },
        })
      }
    })
  },
)

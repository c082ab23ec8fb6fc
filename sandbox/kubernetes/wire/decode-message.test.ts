import { describe, expect, test } from 'vitest'
import { builtInTypes } from '../resources/built-in-types.ts'
import { testServer } from '../testing/api-server-fixture.ts'
import type { FieldType, MessageType } from './decode-message.ts'
import { decodeProtobuf, protobufType } from './decode-protobuf.ts'
import { createMessages } from './messages.ts'

/** Encodes a length-delimited field. */
const field = (number: number, ...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map(part => Buffer.from(part)))
  const length: number[] = []
  let left = body.length
  do {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    left >>= 7
  } while (left > 0)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), body])
}

const varint = (number: number, value: number): Buffer => Buffer.from([number << 3, value])

const document = (apiVersion: string, kind: string, ...fields: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, field(1, apiVersion), field(2, kind)),
    field(2, ...fields),
    field(3, ''),
    field(4, ''),
  ])

const secret = document(
  'v1',
  'Secret',
  field(
    1,
    field(1, 'credentials'),
    field(2, ''),
    field(11, field(1, 'app'), field(2, 'x')),
    field(14, 'a/b'),
    field(14, 'c/d'),
  ),
  field(2, field(1, 'key'), field(2, Buffer.from([0, 255]))),
  field(2, field(1, 'long'), field(2, 'y'.repeat(300))),
  field(3, 'Opaque'),
  varint(5, 1),
)

describe('protobuf', () => {
  test('a protobuf body is decoded to its object', () => {
    expect(decodeProtobuf(secret)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'credentials', labels: { app: 'x' }, finalizers: ['a/b', 'c/d'] },
      data: { key: 'AP8=', long: Buffer.from('y'.repeat(300)).toString('base64') },
      type: 'Opaque',
      immutable: true,
    })
  })

  test('a protobuf body is handled like any other', async () => {
    const { server } = testServer()
    const response = await server.handle({
      method: 'POST',
      path: '/api/v1/namespaces/default/secrets',
      headers: { 'content-type': protobufType },
      body: secret,
    })
    expect(response.status).toBe(201)
    expect(response.body).toContain('"key":"AP8="')
  })

  test('a zero is retained for a Go pointer, and omitted if Go omits it', () => {
    const container = [field(1, 'main'), field(7, field(1, 'A'), field(2, '')), varint(18, 0)]
    // The number 18 and its wire type do not fit into one byte.
    container[2] = Buffer.from([((18 << 3) & 0x7f) | 0x80, 1, 0])
    const limits = field(1, field(1, 'cpu'), field(2, field(1, '100m')))
    const port = field(2, field(2, varint(1, 1), varint(2, 0), field(3, 'http')))
    const deployment = document(
      'apps/v1',
      'Deployment',
      field(1, field(1, 'a'), field(2, ''), field(8)),
      field(
        2,
        varint(1, 0),
        field(2, field(1, field(1, 'app'), field(2, 'a'))),
        field(
          3,
          field(1, field(1, '')),
          field(2, field(2, ...container, field(8, limits), field(10, field(1, port)))),
        ),
        field(4, field(1, 'RollingUpdate'), field(2, field(1, varint(1, 0), varint(2, 1), field(3, '')))),
      ),
      field(3),
    )
    expect(decodeProtobuf(deployment)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: {},
          spec: {
            containers: [
              {
                name: 'main',
                env: [{ name: 'A' }],
                resources: { limits: { cpu: '100m' } },
                livenessProbe: { httpGet: { port: 'http' } },
              },
            ],
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      },
      status: {},
    })
  })

  test.each(builtInTypes.map(({ kind }) => kind).filter(kind => kind !== 'CustomResourceDefinition'))(
    'has the message of %s, whose parts are all known',
    kind => {
      const find = createMessages()
      const seen = new Set<unknown>()
      const visit = (message: MessageType | undefined): void => {
        if (message === undefined) throw new Error(`${kind} has an unknown part`)
        if (seen.has(message)) return
        seen.add(message)
        for (const { type } of Object.values(message)) visitType(type)
      }
      const visitType = (type: FieldType): void => {
        if (typeof type !== 'object') return
        if ('map' in type) visitType(type.map)
        else visit(typeof type.message === 'function' ? type.message() : type.message)
      }
      visit(find(kind))
      expect(seen.size).toBeGreaterThan(1)
    },
  )

  test.each([
    ['something else', Buffer.from('{}'), 400],
    ['half a document', secret.subarray(0, 40), 400],
    ['a kind that is not known here', document('example.com/v1', 'Thing', field(1, field(1, 'a'))), 415],
  ])('%s is refused', (_, bytes, code) => {
    expect(() => decodeProtobuf(bytes)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code }) }),
    )
  })
})

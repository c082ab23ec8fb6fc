import { describe, expect, test } from 'vitest'
import { testServer } from '../testing/api-server-fixture.ts'
import { decodeProtobuf, protobufType } from './decode-protobuf.ts'

/** A length-delimited field. */
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
  test('is read as the object that it stands for', () => {
    expect(decodeProtobuf(secret)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'credentials', labels: { app: 'x' }, finalizers: ['a/b', 'c/d'] },
      data: { key: 'AP8=', long: Buffer.from('y'.repeat(300)).toString('base64') },
      type: 'Opaque',
      immutable: true,
    })
  })

  test('is a body like any other', async () => {
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

  test.each([
    ['something else', Buffer.from('{}'), 400],
    ['half a document', secret.subarray(0, 40), 400],
    ['a kind that is not known here', document('v1', 'Pod', field(1, field(1, 'a'))), 415],
  ])('%s is refused', (_, bytes, code) => {
    expect(() => decodeProtobuf(bytes)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code }) }),
    )
  })
})

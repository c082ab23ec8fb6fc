import { describe, expect, test } from 'vitest'
import { testServer, thingDefinition } from '../../testing/api-server-fixture.ts'
import { decodeMessage, type FieldType, type MessageType } from '../../wire/decode-message.ts'
import { encodeOpenApiV2 } from '../../wire/encode-openapi-v2.ts'

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size', 'maybe'],
      properties: {
        size: { type: 'integer', minimum: -1.5, maximum: 9, enum: [1, 9] },
        words: { type: 'array', items: { type: 'string', maxLength: 300 } },
        maybe: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} } },
        some: { type: 'string', anyOf: [{ pattern: 'a' }], default: 'x' },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        any: { type: 'object', additionalProperties: true },
      },
    },
  },
}

const documentOf = async (accept?: string) => {
  const { server } = testServer({ objects: [thingDefinition({ schema: { openAPIV3Schema: schema } })] })
  return server.handle({
    method: 'GET',
    path: '/openapi/v2',
    headers: accept === undefined ? {} : { accept },
  })
}

const message = (type: MessageType): FieldType => ({ message: type })
const any = { name: 'yaml', type: message({ 2: { name: 'yaml', type: 'string' } }) } as const
const named = (type: MessageType): FieldType =>
  message({ 1: { name: 'name', type: 'string' }, 2: { name: 'value', type: message(type) } })

/** A part of gnostic's `WrittenSchema`. A type that contains itself is completed afterwards. */
const schemaType: Record<number, MessageType[number]> = {
  1: { name: '$ref', type: 'string' },
  4: { name: 'description', type: 'string' },
  5: { ...any, name: 'default' },
  11: { name: 'maxLength', type: 'integer' },
  19: { name: 'required', type: 'string', repeated: true },
  20: { ...any, name: 'enum', repeated: true },
  22: { name: 'type', type: message({ 1: { name: 'value', type: 'string', repeated: true } }) },
  31: {
    name: 'extensions',
    type: named({ 2: { name: 'yaml', type: 'string' } }),
    repeated: true,
  },
}
schemaType[21] = {
  name: 'additionalProperties',
  type: message({
    1: { name: 'schema', type: message(schemaType) },
    2: { name: 'boolean', type: 'boolean' },
  }),
}
schemaType[23] = {
  name: 'items',
  type: message({ 1: { name: 'schema', type: message(schemaType), repeated: true } }),
}
schemaType[25] = {
  name: 'properties',
  type: message({ 1: { name: 'property', type: named(schemaType), repeated: true } }),
}

const documentType: MessageType = {
  1: { name: 'swagger', type: 'string' },
  9: {
    name: 'definitions',
    type: message({ 1: { name: 'definition', type: named(schemaType), repeated: true } }),
  },
}

describe('/openapi/v2', () => {
  test('a custom kind has the schema that OpenAPI v2 can express', async () => {
    const { status, headers, body } = await documentOf()
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    const { swagger, definitions, paths } = JSON.parse(String(body))
    expect(swagger).toBe('2.0')
    expect(definitions['com.example.v1.Thing']).toMatchObject({
      type: 'object',
      required: ['spec'],
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Thing' }],
      properties: {
        apiVersion: { type: 'string' },
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      },
    })
    expect(definitions['com.example.v1.Thing'].properties.spec).toEqual({
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: -1.5, maximum: 9, enum: [1, 9] },
        words: { type: 'array', items: { type: 'string', maxLength: 300 } },
        maybe: {},
        free: { 'x-kubernetes-preserve-unknown-fields': true },
        some: { type: 'string', default: 'x' },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        any: { type: 'object', additionalProperties: true },
      },
    })
    const path = '/apis/example.com/v1/namespaces/{namespace}/things/{name}'
    expect(paths[path].patch.parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation' }))
    expect(paths[path].parameters).toMatchObject([{ name: 'namespace' }, { name: 'name' }])
  })

  test('built-in kinds have the names of kube-apiserver', async () => {
    const { definitions } = JSON.parse(String((await documentOf()).body))
    expect(Object.keys(definitions)).toEqual(
      expect.arrayContaining([
        'io.k8s.api.core.v1.ConfigMap',
        'io.k8s.api.rbac.v1.ClusterRole',
        'io.k8s.api.apps.v1.Deployment',
        'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
      ]),
    )
    expect(definitions['io.k8s.api.core.v1.ConfigMap'].properties.data).toMatchObject({ type: 'object' })
  })

  test.each([
    [undefined, 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    ['text/html, application/json;q=0.5', 200, 'application/json'],
    [
      'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      200,
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    ],
    [
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      200,
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    ],
    ['application/yaml', 406, undefined],
  ])('Accept: %s returns %i %s', async (accept, status, type) => {
    const answer = await documentOf(accept)
    expect([answer.status, answer.headers['content-type']]).toEqual([status, type])
  })

  test('the protobuf document has the same content', async () => {
    const { body } = await documentOf('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')
    const { swagger, definitions } = decodeMessage(body as Uint8Array, documentType) as {
      readonly swagger: string
      readonly definitions: { readonly definition: readonly { name: string; value: unknown }[] }
    }
    expect(swagger).toBe('2.0')
    const { value } = definitions.definition.find(({ name }) => name === 'com.example.v1.Thing') ?? {}
    const field = (name: string, entry: object) => ({ name, value: entry })
    expect(value).toMatchObject({
      type: { value: ['object'] },
      required: ['spec'],
      extensions: [
        {
          name: 'x-kubernetes-group-version-kind',
          value: { yaml: '[{"group":"example.com","version":"v1","kind":"Thing"}]' },
        },
      ],
      properties: {
        property: expect.arrayContaining([
          field('spec', {
            type: { value: ['object'] },
            required: ['size'],
            properties: {
              property: [
                field('size', { type: { value: ['integer'] }, enum: [{ yaml: '1' }, { yaml: '9' }] }),
                field('words', {
                  type: { value: ['array'] },
                  items: { schema: [{ type: { value: ['string'] }, maxLength: 300 }] },
                }),
                field('maybe', {}),
                field('free', {
                  extensions: [{ name: 'x-kubernetes-preserve-unknown-fields', value: { yaml: 'true' } }],
                }),
                field('some', { type: { value: ['string'] }, default: { yaml: '"x"' } }),
                field('map', {
                  type: { value: ['object'] },
                  additionalProperties: { schema: { type: { value: ['integer'] } } },
                }),
                field('any', { type: { value: ['object'] }, additionalProperties: { boolean: true } }),
              ],
            },
          }),
        ]),
      },
    })
  })

  test('signed and fractional numbers are encoded', () => {
    const bytes = Buffer.from(
      encodeOpenApiV2({ definitions: { a: { minimum: -1.5, minLength: 300, uniqueItems: true } } }),
    )
    const minimum = Buffer.alloc(9)
    minimum[0] = (9 << 3) | 1
    minimum.writeDoubleLE(-1.5, 1)
    expect(bytes.includes(minimum)).toBe(true)
    expect(bytes.includes(Buffer.from([12 << 3, 0xac, 0x02, 0x80, 0x01, 0x01]))).toBe(true)
  })
})

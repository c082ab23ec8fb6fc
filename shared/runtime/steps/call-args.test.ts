import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callArgs } from './call-args.ts'

test('arguments are JSON', () => {
  const args = {
    VpcId: 'vpc-1',
    Filters: [{ Name: 'tag:a', Values: ['b'] }],
    DryRun: false,
    Nothing: undefined,
  }
  expect(callArgs(args)).toBe('{"VpcId":"vpc-1","Filters":[{"Name":"tag:a","Values":["b"]}],"DryRun":false}')
  expect([callArgs({}), callArgs([]), callArgs({ a: {} }), callArgs(undefined)]).toEqual([
    '{}',
    '[]',
    '{"a":{}}',
    undefined,
  ])
})

test.each([
  ...['UserData', 'Body', 'SecretAccessKey', 'secretString', 'Password', 'MasterUserPassword', 'PrivateKey'],
  ...[
    'SessionToken',
    'WebIdentityToken',
    'SAMLAssertion',
    'ExternalId',
    'SSECustomerKey',
    'PublicKeyMaterial',
  ],
  ...['AccessKeyId', 'Authorization', 'ClientCredentials', 'Plaintext', 'token'],
])('the value of the field %s is left out', name => {
  const text = callArgs({ Id: 'stays', Inner: [{ [name]: { deep: ['planted'] } }] })
  expect(text).not.toContain('planted')
  expect(text).toContain('stays')
})

test.each(['NextToken', 'ClientToken', 'KeyName', 'PolicyDocument'])('the field %s is not a secret', name => {
  expect(callArgs({ [name]: 'shown' })).toBe(`{"${name}":"shown"}`)
})

test('bytes, streams and functions have no contents', () => {
  const args = { a: new Uint8Array(100), b: new ReadableStream(), c: () => 1, d: new ArrayBuffer(8), e: 1n }
  expect(callArgs(args)).toBe('{"a":"…","b":"…","d":"…","e":"…"}')
})

test('large, deep and circular arguments are cut', () => {
  const circular: Record<string, unknown> = { list: Array.from({ length: 100_000 }, (_, n) => `item-${n}`) }
  expect(callArgs(circular)?.length).toBe(8 * 1024)
  circular.self = circular
  delete circular.list
  expect(callArgs(circular)).toContain('"…"')
  expect(callArgs({ text: 'x'.repeat(1_000_000) })?.length).toBe(8 * 1024)
})

test('an object that throws has no arguments', () => {
  expect(
    callArgs(
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ),
  ).toBeUndefined()
})

test('any JSON is written as JSON.stringify does if no field is left out', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
      const text = JSON.stringify(value)
      fc.pre(
        value !== null &&
          text.length < 4_000 &&
          !/pipe|getReader|byteLength|secret|token|data|body/i.test(text),
      )
      expect(callArgs(value)).toBe(text)
    }),
  )
})

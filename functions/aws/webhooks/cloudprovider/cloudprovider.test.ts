import { describe, expect, test } from 'vitest'
import { lookupIn, type SentReview, sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { clusterOf, namespace } from '../testing/cluster.ts'
import { definition } from './webhook.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const created = (
  data: Readonly<Record<string, string | null>>,
  labels: Readonly<Record<string, string>> = {},
): SentReview => ({
  operation: 'CREATE',
  object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cloudprovider', namespace, labels }, data },
})
const identity = { 'workloadidentity.security.gardener.cloud/provider': 'aws' }
const play = (recorded: SentReview, cluster = clusterOf()) =>
  sendReview(definition, recorded, { objects: [cluster] })

const key = { accessKeyID: base64('AKIA'), secretAccessKey: base64('PLANTED') }
const config = (lines: string): string =>
  base64(
    `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1\nkind: WorkloadIdentityConfig\n${lines}`,
  )

describe('an access key', () => {
  test.each([
    ['a line break', 'PLANTED\n'],
    ['a line break of Windows', 'PLANTED\r\n'],
    ['a second entry', 'PLANTED\nregion=elsewhere'],
    ['a carriage return', 'PLA\rNTED'],
    ['a blank', ' PLANTED'],
    ['a null', 'PLANTED\0'],
    ['a line separator', 'PLANTED\u2028x'],
  ])('with %s is refused and not revealed', async (_, value) => {
    for (const name of ['accessKeyID', 'secretAccessKey']) {
      const { allowed, code, message } = await play(created({ ...key, [name]: base64(value) }))
      expect({ allowed, code }).toEqual({ allowed: false, code: 403 })
      expect(message).toMatch(new RegExp(`^could not mutate cloudprovider secret as "${name}" contains`))
      expect(message).not.toContain('PLANTED')
    }
  })

  test.each([
    ['not base64', 'PLANTED!', 'expected base64 text'],
    ['no text', '/w==', 'it is not UTF-8 text'],
  ])('that is %s is refused and not revealed', async (_, value, why) => {
    const { message } = await play(created({ ...key, secretAccessKey: value }))
    expect(message).toBe(`could not mutate cloudprovider secret as "secretAccessKey" cannot be read: ${why}`)
  })

  test.each(['', null])('that is empty counts as missing: %j', async accessKeyID => {
    const { message } = await play(created({ ...key, accessKeyID }))
    expect(message).toBe('could not mutate cloudprovider secret as "accessKeyID" field is missing')
  })

  test('is retained beside keys without a value', async () => {
    const { object } = await play(created({ ...key, region: null }))
    expect(object).toMatchObject({ data: { ...key, region: null, credentialsFile: expect.any(String) } })
  })

  test('of a shoot is refused if its region breaks the file', async () => {
    const cluster = clusterOf({ spec: { region: 'eu-west-1\naws_session_token=x' } })
    expect(await play(created(key), cluster)).toMatchObject({ allowed: false, code: 403 })
  })
})

describe('a workload identity', () => {
  const file = async (lines: string): Promise<string | undefined> => {
    const { object, message } = await play(created({ config: config(lines) }, identity))
    const { credentialsFile } = object.data as Record<string, string>
    return message ?? Buffer.from(credentialsFile ?? '', 'base64').toString()
  }

  test('may be JSON', async () => {
    const json = JSON.stringify({
      kind: 'WorkloadIdentityConfig',
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      roleARN: 'arn:aws:iam::1:role/x',
    })
    const { object } = await play(created({ config: base64(json) }, identity))
    expect(object.data).toMatchObject({ roleARN: base64('arn:aws:iam::1:role/x') })
  })

  test('without a role is accepted', async () => {
    expect(await file('roleARN: ""')).toMatch(/^role_arn=$/m)
    expect(await file('')).toMatch(/^role_arn=$/m)
  })

  test.each([
    ['roleARN: "a\\nregion=b"', /"roleARN" contains white space/],
    [
      'role: PLANTED',
      /^could not decode 'config' as WorkloadIdentityConfig: strict decoding error: unknown field "role"/,
    ],
    [
      'roleARN: [PLANTED]',
      /^could not decode 'config' as WorkloadIdentityConfig: roleARN: expected a string/,
    ],
    [
      'roleARN: "PLANTED',
      /^could not decode 'config' as WorkloadIdentityConfig: it is neither JSON nor YAML$/,
    ],
    ['---\nroleARN: PLANTED', /: it is neither JSON nor YAML$/],
    ['x: &x [PLANTED]\ny: *x', /: it is neither JSON nor YAML$/],
  ])('with %j is refused and not revealed', async (lines, message) => {
    const said = await file(lines)
    expect(said).toMatch(message)
    expect(said).not.toContain('PLANTED')
  })
})

test('a Secret with invalid data is refused with the field', async () => {
  expect(await play(created({ accessKeyID: 1 as unknown as string }))).toMatchObject({
    code: 400,
    message: 'could not decode the object: data.accessKeyID: expected a string, found a number',
  })
})

test('a Secret of another name is allowed without reading its Cluster', async () => {
  const { object, ...rest } = created({})
  const other = { ...object, metadata: { ...object.metadata, name: 'other' } }
  expect(await sendReview(definition, { ...rest, object: other }, { lookup: lookupIn([]) })).toMatchObject({
    allowed: true,
    patch: [],
  })
})

test('a workload identity config that is far too long is refused without being parsed', async () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`).join('\n')
  const { code, message } = await play(created({ config: config(keys) }, identity))
  expect({ code, message }).toEqual({
    code: 403,
    message: "could not decode 'config' as WorkloadIdentityConfig: it has more than 10000 characters",
  })
})

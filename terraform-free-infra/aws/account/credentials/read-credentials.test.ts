import { expect, test } from 'vitest'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { readCredentials } from './read-credentials.ts'

const secretOf = (data: Record<string, string>) => ({
  name: 'dns',
  namespace: 'shoot--foo--bar',
  labels: {},
  data,
})
const accessKey = (accessKeyId: string, secretAccessKey: string) => ({
  kind: 'access-key',
  accessKeyId,
  secretAccessKey,
})
const roleArn = 'arn:aws:iam::123456789012:role/dns'
const workloadIdentity = { kind: 'workload-identity', roleArn, token: 'eyJ.t.s' }

test.each<[string, Record<string, string>, object]>([
  [
    'the provider spelling',
    { accessKeyID: 'AK1', secretAccessKey: 's1' },
    { credentials: accessKey('AK1', 's1') },
  ],
  [
    'the other provider spelling',
    { accessKeyId: 'AK1', secretAccessKey: 's1' },
    { credentials: accessKey('AK1', 's1') },
  ],
  [
    'the DNS spelling',
    { AWS_ACCESS_KEY_ID: 'AK1', AWS_SECRET_ACCESS_KEY: 's1' },
    { credentials: accessKey('AK1', 's1') },
  ],
  [
    'the provider spelling before the DNS spelling',
    { accessKeyID: 'AK1', secretAccessKey: 's1', AWS_ACCESS_KEY_ID: 'AK2', AWS_SECRET_ACCESS_KEY: 's2' },
    { credentials: accessKey('AK1', 's1') },
  ],
  [
    'an empty key as a missing one',
    { accessKeyID: '', AWS_ACCESS_KEY_ID: 'AK2', secretAccessKey: 's' },
    { credentials: accessKey('AK2', 's') },
  ],
  [
    'the region',
    { accessKeyID: 'AK1', secretAccessKey: 's1', region: 'eu-west-1' },
    { credentials: accessKey('AK1', 's1'), region: 'eu-west-1' },
  ],
  [
    'the DNS region',
    { accessKeyID: 'AK1', secretAccessKey: 's1', AWS_REGION: 'eu-west-1' },
    { credentials: accessKey('AK1', 's1'), region: 'eu-west-1' },
  ],
  [
    'an access key before a token',
    { accessKeyID: 'AK1', secretAccessKey: 's1', token: 't', roleARN: roleArn },
    { credentials: accessKey('AK1', 's1') },
  ],
  ['a workload identity', { token: 'eyJ.t.s', roleARN: roleArn }, { credentials: workloadIdentity }],
  [
    'the role in JSON',
    { token: 'eyJ.t.s', config: JSON.stringify({ kind: 'WorkloadIdentityConfig', roleARN: roleArn }) },
    { credentials: workloadIdentity },
  ],
  [
    'the role in YAML',
    { token: 'eyJ.t.s', config: `kind: WorkloadIdentityConfig\nroleARN: ${roleArn}\n` },
    { credentials: workloadIdentity },
  ],
])('readCredentials reads %s', async (_, data, expected) => {
  expect(await readCredentials(secretOf(data), { dnsKeys: true })).toEqual(expected)
})

test.each<[string, Record<string, string>, string]>([
  ['nothing', {}, 'accessKeyID or accessKeyId or AWS_ACCESS_KEY_ID'],
  ['an id without a key', { accessKeyID: 'AK1' }, 'it has no secretAccessKey or AWS_SECRET_ACCESS_KEY'],
  ['a key without an id', { secretAccessKey: 'hidden-1' }, 'accessKeyID or accessKeyId or AWS_ACCESS_KEY_ID'],
  [
    'a line end in the key',
    { accessKeyID: 'AK1', secretAccessKey: 'hidden-1\n' },
    'its secretAccessKey contains white space',
  ],
  ['a token without a role', { token: 'hidden-1' }, 'it has a token, but neither roleARN nor config'],
  ['a config without a role', { token: 'hidden-1', config: 'secret: hidden-2' }, 'has no roleARN'],
  ['a config that is no object', { token: 'hidden-1', config: 'hidden-2' }, 'has no roleARN'],
  ['a config that cannot be parsed', { token: 'hidden-1', config: '{hidden-2: [' }, 'neither JSON nor YAML'],
])('refuses %s with the Secret and the key, but without a value', async (_, data, message) => {
  const error = await readCredentials(secretOf(data), { dnsKeys: true }).catch(thrown => thrown)
  expect(error).toBeInstanceOf(CodedError)
  expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect(error.message).toContain('Secret shoot--foo--bar/dns')
  expect(error.message).toContain(message)
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('hidden')
})

test('the DNS spellings are accepted only for DNS', async () => {
  const data = { AWS_ACCESS_KEY_ID: 'AK1', AWS_SECRET_ACCESS_KEY: 's1' }
  await expect(readCredentials(secretOf(data))).rejects.toThrow('an access key (accessKeyID)')
})

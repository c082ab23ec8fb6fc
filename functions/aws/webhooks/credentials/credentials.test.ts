import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { brokenLookup } from '../../../../shared/webhooks/admission/testing/broken-lookup.ts'
import { type Otherwise, secretWith, validate, validateSecretObject } from '../testing/reviews.ts'
import { definition as validator } from '../validator/webhook.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const id = 'AKIAIOSFODNN7EXAMPLE'
const key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const data = (values: Readonly<Record<string, string>>): Otherwise => ({
  data: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, base64(value)])),
})

describe('a Secret', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    [
      'in the spelling of DNS',
      { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_REGION: 'eu-west-1' },
    ],
    ['in both spellings, one for each value', { accessKeyID: id, AWS_SECRET_ACCESS_KEY: key }],
    ['with an empty region', { accessKeyID: id, secretAccessKey: key, region: '' }],
  ])('is allowed %s', async (_, values) => {
    expect(await validateSecretObject(secretWith(data(values)))).toMatchObject({ allowed: true })
  })

  test('is refused with all of its errors, in this order', async () => {
    const values = { zoo: 'x', accessKeyID: 'a', AWS_ACCESS_KEY_ID: '', region: 'x', bar: 'y' }
    const { message } = await validateSecretObject(secretWith(data(values)))
    expect(message).toBe(
      [
        '[secret.data: Invalid value: "(hidden)": expected either accessKeyID or AWS_ACCESS_KEY_ID in Secret garden-p/my-creds, found both',
        'secret.data[bar]: Forbidden: expected no such key in Secret garden-p/my-creds; allowed keys are accessKeyID, secretAccessKey, region',
        'secret.data[zoo]: Forbidden: expected no such key in Secret garden-p/my-creds; allowed keys are accessKeyID, secretAccessKey, region',
        'secret.data[AWS_ACCESS_KEY_ID]: Required value: expected the id of an access key: capital letters and digits, found an empty string',
        'secret.data[secretAccessKey]: Required value: expected the secret of an access key: letters, digits and / + = in Secret garden-p/my-creds, found nothing',
        'secret.data[region]: Invalid value: "(hidden)": expected the name of a region (such as eu-west-1), found something else]',
      ].join(', '),
    )
  })

  test.each([
    { accessKeyID: `${id}\n`, secretAccessKey: key },
    { accessKeyID: 'SEKRIT SEKRIT SEKRIT', secretAccessKey: 'SEKRIT' },
    { accessKeyID: id, secretAccessKey: `${key.slice(1)}!` },
    { accessKeyID: id, secretAccessKey: key, region: 'SEKRIT' },
  ])('is refused without revealing its content: %j', async values => {
    const { allowed, message } = await validateSecretObject(secretWith(data(values)))
    expect(allowed).toBe(false)
    for (const value of Object.values(values)) {
      expect(message).not.toContain(value)
      expect(message).not.toContain(base64(value))
    }
    expect(message).not.toContain('SEKRIT')
  })

  test('is ignored if its data do not change', async () => {
    const bad = secretWith(data({ foo: 'x' }))
    const relabelled = secretWith({ ...data({ foo: 'x' }), 'metadata.labels.a': 'b' })
    expect(await validateSecretObject(relabelled, { old: bad })).toMatchObject({ allowed: true })
  })
})

describe('an object that names credentials', () => {
  const binding = (kind: string, more: object) => ({
    apiVersion: kind === 'SecretBinding' ? 'core.gardener.cloud/v1beta1' : 'security.gardener.cloud/v1alpha1',
    kind,
    metadata: { name: 'b', namespace: 'garden-p' },
    provider: { type: 'aws' },
    ...more,
  })
  const identity = (targetSystem: object) => ({
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'WorkloadIdentity',
    metadata: { name: 'wi', namespace: 'garden-p' },
    spec: { targetSystem },
  })
  const config = {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'WorkloadIdentityConfig',
    roleARN: 'arn:aws:iam::112233445566:role/dev',
  }
  const credentialsRef = {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'WorkloadIdentity',
    namespace: 'garden-p',
    name: 'wi',
  }

  test('is validated again when its provider changes to this one', async () => {
    const bound = binding('SecretBinding', { secretRef: { name: 'bad', namespace: 'garden-p' } })
    const old = { ...bound, provider: { type: 'gcp' } }
    expect((await validate(bound, { old })).message).toContain('secret.data[accessKeyID]: Invalid value')
  })

  test.each<[string, object, string]>([
    ['no configuration', {}, 'the target system is missing configuration'],
    [
      'one that cannot be read',
      { providerConfig: { ...config, foo: 1 } },
      `target system's configuration is not valid: strict decoding error: unknown field "foo"`,
    ],
    [
      'one that is none of the provider',
      { providerConfig: 'text' },
      `target system's configuration is not valid: expected an object, found a string`,
    ],
  ])('is refused if a WorkloadIdentity has %s', async (_, system, message) => {
    const bound = binding('CredentialsBinding', { credentialsRef })
    expect(await validate(bound, { garden: [identity(system)] })).toMatchObject({ allowed: false, message })
  })

  test('is refused if no object has this name', async () => {
    const bound = binding('CredentialsBinding', { credentialsRef })
    expect((await validate(bound, { garden: [] })).message).toBe(
      'workloadidentities.security.gardener.cloud "wi" not found',
    )
    expect((await validate(binding('SecretBinding', {}), { garden: [] })).message).toBe(
      'secrets "" not found',
    )
  })

  test('is refused without validation if the garden cannot be read', async () => {
    const bound = binding('CredentialsBinding', { credentialsRef })
    const answered = await sendReview(
      validator,
      { operation: 'CREATE', object: bound },
      { lookup: brokenLookup },
    )
    expect(answered).toMatchObject({ allowed: false, code: 500 })
  })

  test('a WorkloadIdentity that could not be read before cannot be put right by an update', async () => {
    const old = identity({ providerConfig: { ...config, foo: 1 } })
    expect((await validate(identity({ providerConfig: config }), { old })).message).toBe(
      `cannot decode the old target system's configuration: strict decoding error: unknown field "foo"`,
    )
  })

  test.each(['..', '.'])('is not looked up if its name would be another path: %s', async name => {
    const object = binding('SecretBinding', { secretRef: { name, namespace: 'garden-p' } })
    const { message } = await sendReview(validator, { operation: 'CREATE', object }, { lookup: brokenLookup })
    expect(message).toBe(`secrets "${name}" not found`)
  })
})

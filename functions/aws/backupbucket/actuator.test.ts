import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { StepExpiredError } from '../../../shared/contract/errors.ts'
import { letStrangerIn, newAccount, strangerOf } from './testing/account.ts'
import { bucketName as Bucket, type BucketParts, secretAccessKey, stepsOver } from './testing/steps.ts'

const governance = { retentionType: 'bucket', retentionPeriod: '96h', mode: 'governance' }
const compliance = { ...governance, mode: 'compliance' }

const setUp = (parts: BucketParts = {}) => {
  const account = newAccount()
  return { ...account, ...stepsOver(account.aws.requestHandler, account.clock, parts) }
}

const reads = [
  'GetBucketPolicy',
  'GetPublicAccessBlock',
  'GetBucketLifecycleConfiguration',
  'GetObjectLockConfiguration',
]

describe('a bucket that does not exist', () => {
  test('is created in six calls', async () => {
    const { step, actions, settings } = setUp()
    expect(await step('reconcile')).toMatchObject({ kind: 'done', status: { state: { owned: true } } })
    expect(actions()).toEqual([
      'GetBucketPolicy',
      'CreateBucket',
      'PutBucketEncryption',
      'PutPublicAccessBlock',
      'PutBucketPolicy',
      'PutBucketLifecycleConfiguration',
    ])
    const resources = [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`]
    const deny = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: resources }
    expect(await settings()).toMatchObject({
      location: 'eu-west-1',
      encryption: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
      access: {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      },
      policy: {
        Version: '2012-10-17',
        Statement: [
          { ...deny, Sid: 'DenyWithoutTls', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          { ...deny, Sid: 'DenyBelowTls12', Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } } },
        ],
      },
      lifecycle: [
        {
          Filter: { Prefix: '' },
          Status: 'Enabled',
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        },
      ],
      versioning: undefined,
    })
  })

  test('is created with a lock in seven calls', async () => {
    const { step, actions, settings } = setUp({ immutability: compliance })
    await step('reconcile')
    expect(actions()).toHaveLength(7)
    expect(await settings()).toMatchObject({
      versioning: 'Enabled',
      lock: { ObjectLockEnabled: 'Enabled', Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 4 } } },
    })
  })

  test('is created in us-east-1, which has no location constraint', async () => {
    const { step, aws } = setUp({ region: 'us-east-1' })
    await step('reconcile')
    const create = aws.calls.all().find(({ action }) => action === 'CreateBucket')
    expect(create).toMatchObject({ region: 'us-east-1', status: 200 })
    expect(create?.input.CreateBucketConfiguration).toBeUndefined()
  })

  test('is read again until it is visible everywhere', async () => {
    const { step, aws, until, settings } = setUp()
    aws.faults.add({
      action: 'PutBucketEncryption',
      effect: { kind: 'error', code: 'NoSuchBucket', status: 404 },
    })
    expect(await step('reconcile')).toMatchObject({
      kind: 'continue',
      description: `Waiting until S3 shows the new bucket ${Bucket}`,
    })
    expect(await until('reconcile')).toEqual([])
    expect((await settings()).policy.Statement).toHaveLength(2)
  })
})

describe('a bucket that exists', () => {
  test.each([undefined, governance, compliance])(
    'and needs no change costs four reads (%o)',
    async immutability => {
      const { step, actions, aws } = setUp(immutability ? { immutability } : {})
      await step('reconcile')
      aws.calls.clear()
      await step('reconcile')
      expect(actions().sort()).toEqual([...reads].sort())
    },
  )

  test('gets removed settings back', async () => {
    const { step, operator, settings, actions } = setUp()
    await step('reconcile')
    const whole = await settings()
    await operator(async client => {
      await client.send(new s3.DeleteBucketPolicyCommand({ Bucket }))
      await client.send(new s3.DeletePublicAccessBlockCommand({ Bucket }))
      await client.send(new s3.DeleteBucketLifecycleCommand({ Bucket }))
    })
    await step('reconcile')
    expect(actions().filter(action => action.startsWith('Put'))).toEqual([
      'PutPublicAccessBlock',
      'PutBucketPolicy',
      'PutBucketLifecycleConfiguration',
    ])
    const { lifecycle: _, ...rest } = whole
    expect(await settings()).toMatchObject(rest)
  })

  test('retains the statements and rules of its user', async () => {
    const { step, operator, settings, actions } = setUp()
    const own = {
      Sid: 'Own',
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111111111111:root' },
      Action: 's3:GetObject',
      Resource: `arn:aws:s3:::${Bucket}/*`,
    }
    const rule = { ID: 'own', Prefix: 'old/', Status: 'Enabled', Expiration: { Days: 90 } } as const
    await operator(async client => {
      const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
      await client.send(new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration }))
      const Policy = JSON.stringify({ Version: '2012-10-17', Id: 'mine', Statement: own })
      await client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy }))
      await client.send(
        new s3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [rule] } }),
      )
    })
    await step('reconcile')
    const { policy, lifecycle } = await settings()
    expect(policy.Id).toBe('mine')
    expect(policy.Statement[0]).toEqual(own)
    expect(policy.Statement).toHaveLength(3)
    const { Prefix: _, ...named } = rule
    expect(lifecycle).toMatchObject([{ ...named, Filter: { Prefix: 'old/' } }, { Status: 'Enabled' }])
    await step('reconcile')
    expect(actions().filter(action => action.startsWith('Put'))).toEqual([])
  })

  test('retains an encryption of its user', async () => {
    const { step, operator, actions } = setUp()
    await operator(async client => {
      const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
      await client.send(new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration }))
      const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' as const } }]
      await client.send(
        new s3.PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }),
      )
    })
    await step('reconcile')
    expect(actions()).not.toContain('PutBucketEncryption')
  })
})

describe('the lock of a bucket', () => {
  test('is enabled later', async () => {
    const { step, change, settings, actions, aws } = setUp()
    await step('reconcile')
    aws.calls.clear()
    change({ immutability: governance })
    await step('reconcile')
    expect(actions().slice(4)).toEqual(['PutBucketVersioning', 'PutObjectLockConfiguration'])
    expect((await settings()).lock).toMatchObject({
      Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 4 } },
    })
  })

  test.each([
    ['governance, longer', governance, { ...governance, retentionPeriod: '120h' }, ['GOVERNANCE', 5]],
    ['governance, shorter', governance, { ...governance, retentionPeriod: '24h' }, ['GOVERNANCE', 1]],
    ['governance to compliance', governance, compliance, ['COMPLIANCE', 4]],
    ['compliance, longer', compliance, { ...compliance, retentionPeriod: '120h0m0s' }, ['COMPLIANCE', 5]],
    ['governance, off', governance, undefined, undefined],
  ] as const)('is changed: %s', async (_, first, second, expected) => {
    const { step, change, settings } = setUp({ immutability: first })
    await step('reconcile')
    change(second === undefined ? {} : { immutability: second })
    await step('reconcile')
    const { lock } = (await settings()) as { lock: s3.ObjectLockConfiguration }
    const { Mode, Days } = lock.Rule?.DefaultRetention ?? {}
    expect(lock.ObjectLockEnabled).toBe('Enabled')
    expect(Mode && [Mode, Days]).toEqual(expected)
  })

  test.each([
    ['off', undefined, 'immutability: expected the lock of the bucket, found none'],
    ['governance', { ...compliance, mode: 'governance' }, 'immutability.mode: expected compliance'],
    [
      'shorter',
      { ...compliance, retentionPeriod: '72h' },
      'retentionPeriod: expected at least 96h, found 72h',
    ],
  ])('in compliance mode is not weakened: %s', async (_, immutability, message) => {
    const { step, change, settings, actions, aws } = setUp({ immutability: compliance })
    await step('reconcile')
    const before = await settings()
    aws.calls.clear()
    change(immutability ? { immutability } : {})
    const failure = await failureOf(step('reconcile'))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain(message)
    expect(failure.message).toContain('use another bucket')
    expect(actions().every(action => action.startsWith('Get'))).toBe(true)
    expect(await settings()).toEqual(before)
  })
})

describe('a foreign bucket', () => {
  test('in another region is reported with its region', async () => {
    const { step, change } = setUp({ region: 'eu-west-1' })
    await step('reconcile')
    change({ region: 'us-west-2' })
    const failure = await failureOf(step('reconcile'))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain('spec.region is us-west-2')
    expect(failure.message).toContain(`the bucket ${Bucket} already exists in eu-west-1`)
  })

  test('of another account is refused, and nothing is written', async () => {
    const { step, aws, operator, actions } = setUp()
    await operator(client =>
      client.send(
        new s3.CreateBucketCommand({
          Bucket,
          CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
        }),
      ),
    )
    const accessKeyID = strangerOf(aws)
    const failure = await failureOf(step('reconcile', { accessKeyID }))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain('metadata.name: the bucket')
    expect(failure.message).toContain('belongs to another AWS account')
    expect(actions()).toEqual(['GetBucketPolicy', 'ListBuckets'])
  })

  test.each([
    ['without the permission to list buckets', ['s3:PutObject']],
    ['of its owner without all permissions', ['s3:PutObject', 's3:ListAllMyBuckets']],
  ])('and an inaccessible bucket of its own get the same error for a key %s', async (_, allow) => {
    const { step, aws, operator } = setUp()
    await step('reconcile')
    await operator(async () => {})
    aws.account().register({ accessKeyId: 'AKIALIMITED', secretAccessKey, allow })
    const failure = await failureOf(step('reconcile', { accessKeyID: 'AKIALIMITED' }))
    expect(failure).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(failure.message).toContain('lack a permission, or the bucket')
  })

  test('of another account is refused even if its policy allows access', async () => {
    const { step, aws, operator, actions } = setUp()
    await step('reconcile')
    await operator(letStrangerIn)
    const failure = await failureOf(step('reconcile', { accessKeyID: strangerOf(aws) }))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain('belongs to another AWS account')
    expect(actions()).toEqual(['GetBucketPolicy'])
  })

  test('is refused right after its creation', async () => {
    const { step, aws } = setUp()
    aws.faults.add({
      action: 'CreateBucket',
      effect: { kind: 'error', code: 'BucketAlreadyExists', status: 409 },
    })
    expect(await failureOf(step('reconcile'))).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  })
})

test('a region that AWS does not know is a configuration problem', async () => {
  const { step, aws } = setUp({ region: 'xx-north-9' })
  aws.faults.add({
    action: 'CreateBucket',
    effect: { kind: 'error', code: 'InvalidLocationConstraint', status: 400 },
  })
  const failure = await failureOf(step('reconcile'))
  expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  expect(failure.message).toContain('spec.region: S3 is not available in region xx-north-9')
})

test('a region that cannot exist is a configuration problem', async () => {
  const failure = await failureOf(setUp({ region: 'mars-north-1' }).step('reconcile'))
  expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  expect(failure.message).toContain('spec.region: S3 is not available in region mars-north-1')
})

test('a region without a host is a configuration problem', async () => {
  const { step } = setUp()
  const notFound = () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND s3.eu-west-1.amazonaws.com'), { code: 'ENOTFOUND' })
  }
  const failure = await failureOf(step('reconcile', { before: notFound }))
  expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
})

test('a step after its deadline writes nothing', async () => {
  const { step, exists } = setUp()
  const throwIfExpired = () => {
    throw new StepExpiredError('over')
  }
  expect(await failureOf(step('reconcile', { throwIfExpired }))).toBeInstanceOf(StepExpiredError)
  expect(await exists()).toBe(false)
})

test('throttling is retried after 30 s without an error code', async () => {
  const { step, aws } = setUp()
  aws.faults.add({ action: 'GetBucketPolicy', effect: { kind: 'throttle' } })
  expect(await failureOf(step('reconcile'))).toMatchObject({ name: 'RequeueAfterError', delayMs: 30_000 })
})

test('the creation of a bucket with a just released name is retried', async () => {
  const { step, aws } = setUp()
  aws.faults.add({ action: 'CreateBucket', effect: { kind: 'error', code: 'OperationAborted', status: 409 } })
  expect(await failureOf(step('reconcile'))).toMatchObject({ name: 'RequeueAfterError' })
})

test('errors contain no secret', async () => {
  const { step, aws } = setUp()
  aws.faults.add({
    action: 'CreateBucket',
    effect: { kind: 'error', code: 'InvalidArgument', message: `bad ${secretAccessKey}`, status: 400 },
  })
  expect((await failureOf(step('reconcile'))).message).not.toContain(secretAccessKey)
})

import type { GetBucketPolicyOutput, PutBucketPolicyRequest } from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { statementElements } from '../../statement-elements.ts'
import {
  accessDenied,
  type BucketInput,
  bucketAnywhere,
  findBucket,
  type S3Call,
} from '../buckets/find-bucket.ts'
import type { Bucket } from '../state.ts'
import { partitionOf } from './address.ts'
import { isOperator } from './policy-conditions.ts'

type BucketPolicyJson = Readonly<Record<string, unknown>>

const malformed = (message: string, detail?: string) =>
  refuse('MalformedPolicy', message, {
    status: 400,
    ...(detail === undefined ? {} : { members: { Detail: detail } }),
  })

const isObject = (value: unknown): value is BucketPolicyJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textsOf = (value: unknown, invalid: string): string[] => {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0 || list.some(item => typeof item !== 'string')) throw malformed(invalid)
  return list as string[]
}

const parse = (text: string): BucketPolicyJson => {
  try {
    const document: unknown = JSON.parse(text)
    if (isObject(document)) return document
  } catch {
    // The error below covers both cases.
  }
  throw malformed("Policies must be valid JSON and the first byte must be '{'")
}

const checkPrincipal = (value: unknown): void => {
  if (value === '*') return
  const invalid = 'Invalid principal in policy'
  if (!isObject(value) || Object.keys(value).length === 0) throw malformed(invalid)
  for (const [kind, names] of Object.entries(value)) {
    const texts = textsOf(names, invalid)
    if (!['AWS', 'Service', 'Federated', 'CanonicalUser'].includes(kind)) throw malformed(invalid)
    const bad =
      kind === 'AWS' &&
      texts.find(name => !/^(?:\*|\d{12}|arn:aws[a-z-]*:(?:iam|sts)::\d{12}:.+)$/.test(name))
    if (bad) throw malformed(invalid, `"${kind}" : "${bad}"`)
  }
}

/** Every resource must be the bucket or an object in it. */
const checkResources = (value: unknown, { name, region }: Bucket): void => {
  const arn = `arn:${partitionOf(region)}:s3:::${name}`
  for (const resource of textsOf(value, 'Policy has invalid resource')) {
    if (resource !== '*' && resource !== arn && !resource.startsWith(`${arn}/`) && resource !== `${arn}*`) {
      throw malformed('Policy has invalid resource', resource)
    }
  }
}

const checkStatement = (statement: unknown, bucket: Bucket): BucketPolicyJson => {
  if (!isObject(statement)) throw malformed("Policies must be valid JSON and the first byte must be '{'")
  const unknown = Object.keys(statement).find(name => !statementElements.includes(name))
  if (unknown !== undefined) throw malformed(`Unknown field ${unknown}`, unknown)
  const { Effect, Condition } = statement
  if (Effect === undefined) throw malformed('Missing required field Effect')
  if (Effect !== 'Allow' && Effect !== 'Deny') throw malformed(`Invalid effect: ${String(Effect)}`)
  const principal = statement.Principal ?? statement.NotPrincipal
  if (principal === undefined) throw malformed('Missing required field Principal')
  checkPrincipal(principal)
  const actions = statement.Action ?? statement.NotAction
  if (actions === undefined) throw malformed('Missing required field Action')
  for (const action of textsOf(actions, 'Policy has invalid action')) {
    if (!/^(?:\*|s3:[\w*?]+|s3-object-lambda:[\w*?]+)$/i.test(action)) {
      throw malformed('Policy has invalid action', action)
    }
  }
  const resources = statement.Resource ?? statement.NotResource
  if (resources === undefined) throw malformed('Missing required field Resource')
  checkResources(resources, bucket)
  if (
    Condition !== undefined &&
    (!isObject(Condition) || Object.values(Condition).some(keys => !isObject(keys)))
  ) {
    throw malformed('Policy has an invalid condition key')
  }
  const operator = Object.keys(Condition ?? {}).find(name => !isOperator(name))
  if (operator !== undefined) throw malformed(`Invalid Condition type : ${operator}`)
  return statement
}

/** An unconditional Allow for everyone makes a bucket public ("The meaning of public", S3 user guide). */
const isPublic = ({ Effect, Principal, Condition }: BucketPolicyJson): boolean => {
  const everybody =
    Principal === '*' || (isObject(Principal) && textsOf(Principal.AWS ?? [''], '').includes('*'))
  return Effect === 'Allow' && everybody && Condition === undefined
}

/** Returns true if a stored policy makes its bucket public. */
export const isPublicPolicy = (text: string): boolean => {
  const { Statement }: { readonly Statement: BucketPolicyJson | readonly BucketPolicyJson[] } =
    JSON.parse(text)
  return (Array.isArray(Statement) ? Statement : [Statement]).some(isPublic)
}

/**
 * Only the owner's account has access to a bucket's policy, whatever the policy allows ("GetBucketPolicy",
 * "PutBucketPolicy", "DeleteBucketPolicy", S3 API reference: 403 without the permission, else 405).
 */
const findOwnBucket = (input: BucketInput, call: S3Call): Bucket => {
  const bucket = findBucket(input, call)
  if (bucketAnywhere(bucket.name, call)?.owner === call.principal.accountId) return bucket
  throw refuse('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    status: 405,
  })
}

export const putBucketPolicy = (input: PutBucketPolicyRequest, call: S3Call): object => {
  const bucket = findOwnBucket(input, call)
  const text = input.Policy ?? ''
  const document = parse(text)
  const { Version = '2008-10-17', Statement } = document
  const unknown = Object.keys(document).find(name => !['Version', 'Id', 'Statement'].includes(name))
  if (unknown !== undefined) throw malformed(`Unknown field ${unknown}`, unknown)
  if (Version !== '2012-10-17' && Version !== '2008-10-17') {
    throw malformed('The policy must contain a valid version string')
  }
  if (Statement === undefined) throw malformed('Missing required field Statement')
  const given: unknown[] = Array.isArray(Statement) ? Statement : [Statement]
  if (given.length === 0) throw malformed('Could not parse the policy: Statement is empty!')
  const statements = given.map(statement => checkStatement(statement, bucket))
  if (Buffer.byteLength(text) > 20 * 1024) {
    throw malformed('Policy exceeds the maximum allowed document size.')
  }
  if (bucket.publicAccess?.BlockPublicPolicy && statements.some(isPublic)) {
    throw accessDenied(
      `User: ${call.principal.arn} is not authorized to perform: s3:PutBucketPolicy on resource: "arn:${partitionOf(bucket.region)}:s3:::${bucket.name}" because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access.`,
    )
  }
  bucket.policy = text
  return {}
}

export const getBucketPolicy = (input: BucketInput, call: S3Call): GetBucketPolicyOutput => {
  const { policy, name } = findOwnBucket(input, call)
  if (policy === undefined) {
    throw refuse('NoSuchBucketPolicy', 'The bucket policy does not exist', {
      status: 404,
      members: { BucketName: name },
    })
  }
  return { Policy: policy }
}

export const deleteBucketPolicy = (input: BucketInput, call: S3Call): object => {
  findOwnBucket(input, call).policy = undefined
  return {}
}

import type { CORSRule, GetBucketCorsOutput, PutBucketCorsRequest } from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { malformedXml } from '../refusals.ts'
import { type BucketInput, findBucket, type S3Call } from './find-bucket.ts'

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD']

const invalid = (message: string) => refuse('InvalidRequest', message, { status: 400 })

/** "Elements of a CORS configuration", S3 user guide. */
const checkRule = ({ AllowedMethods = [], AllowedOrigins = [], AllowedHeaders = [] }: CORSRule): void => {
  if (AllowedMethods.length === 0 || AllowedOrigins.length === 0) throw malformedXml()
  const method = AllowedMethods.find(name => !methods.includes(name))
  if (method !== undefined) {
    throw invalid(`Found unsupported HTTP method in CORS config. Unsupported method is ${method}`)
  }
  const named = [
    ...AllowedOrigins.map(value => ['AllowedOrigin', value] as const),
    ...AllowedHeaders.map(value => ['AllowedHeader', value] as const),
  ]
  const wild = named.find(([, value]) => value.split('*').length > 2)
  if (wild) throw invalid(`${wild[0]} "${wild[1]}" can not have more than one wildcard.`)
}

export const putBucketCors = (input: PutBucketCorsRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const rules = input.CORSConfiguration?.CORSRules ?? []
  if (rules.length === 0) throw malformedXml()
  if (rules.length > 100)
    throw invalid('The number of CORS rules should not exceed allowed limit of 100 rules.')
  for (const rule of rules) checkRule(rule)
  bucket.cors = rules
  return {}
}

export const getBucketCors = (input: BucketInput, call: S3Call): GetBucketCorsOutput => {
  const { cors, name } = findBucket(input, call)
  if (!cors) {
    throw refuse('NoSuchCORSConfiguration', 'The CORS configuration does not exist', {
      status: 404,
      members: { BucketName: name },
    })
  }
  return { CORSRules: [...cors] }
}

export const deleteBucketCors = (input: BucketInput, call: S3Call): object => {
  findBucket(input, call).cors = undefined
  return {}
}

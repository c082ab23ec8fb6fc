import * as ec2 from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import { operation as operationSchema } from '@smithy/core/schema'
import type { ClientProtocol, HttpRequest, HttpResponse, StaticOperationSchema } from '@smithy/types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCodec } from './codec.ts'
import type { WireRequest } from './message.ts'
import { type Operation, type ServiceModel, serviceModel } from './model.ts'
import { fromSdkRequest, toSdkResponse } from './sdk-message.ts'
import { valuesOf } from './testing/schema-values.ts'

interface Subject {
  readonly model: ServiceModel
  readonly client: Readonly<Record<string, unknown>>
  readonly sdk: { readonly config: { readonly protocol: unknown } }
}

const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' } }

/** S3's path style: the bucket is the first segment where the operation has one. */
const locateBucket = (request: WireRequest) => {
  const [, bucket, rest = '/'] = /^\/bucket\.([^/]+)(\/.*)?$/.exec(request.path) ?? []
  return bucket === undefined
    ? { path: request.path, labels: {} }
    : { path: rest, labels: { Bucket: decodeURIComponent(bucket) } }
}

const subjects: readonly Subject[] = [
  {
    model: serviceModel({
      name: 'route53',
      protocol: 'restXml',
      version: '2013-04-01',
      xmlNamespace: 'https://route53.amazonaws.com/doc/2013-04-01/',
      client: route53,
    }),
    client: route53,
    sdk: new route53.Route53Client(settings),
  },
  {
    model: serviceModel({
      name: 'sts',
      protocol: 'awsQuery',
      version: '2011-06-15',
      xmlNamespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
      client: sts,
    }),
    client: sts,
    sdk: new sts.STSClient(settings),
  },
  {
    model: serviceModel({
      name: 'iam',
      protocol: 'awsQuery',
      version: '2010-05-08',
      xmlNamespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
      client: iam,
    }),
    client: iam,
    sdk: new iam.IAMClient(settings),
  },
  {
    model: serviceModel({
      name: 'ec2',
      protocol: 'ec2Query',
      version: '2016-11-15',
      xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15/',
      client: ec2,
    }),
    client: ec2,
    sdk: new ec2.EC2Client(settings),
  },
  {
    model: serviceModel({
      name: 'elb',
      protocol: 'awsQuery',
      version: '2012-06-01',
      xmlNamespace: 'http://elasticloadbalancing.amazonaws.com/doc/2012-06-01/',
      client: elb,
    }),
    client: elb,
    sdk: new elb.ElasticLoadBalancingClient(settings),
  },
  {
    model: serviceModel({
      name: 'elbv2',
      protocol: 'awsQuery',
      version: '2015-12-01',
      xmlNamespace: 'http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/',
      client: elbv2,
    }),
    client: elbv2,
    sdk: new elbv2.ElasticLoadBalancingV2Client(settings),
  },
  {
    model: serviceModel({
      name: 'elasticfilesystem',
      protocol: 'restJson',
      version: '2015-02-01',
      client: efs,
    }),
    client: efs,
    sdk: new efs.EFSClient(settings),
  },
  {
    model: serviceModel({
      name: 's3',
      protocol: 'restXml',
      version: '2006-03-01',
      xmlNamespace: 'http://s3.amazonaws.com/doc/2006-03-01/',
      bareErrors: true,
      locate: locateBucket,
      client: s3,
    }),
    client: s3,
    sdk: new s3.S3Client(settings),
  },
]

const protocolOf = ({ sdk }: Subject) => sdk.config.protocol as ClientProtocol<HttpRequest, HttpResponse>

const sdkOperation = ({ client }: Subject, name: string) => {
  const [, namespace, , traits, input, output] = client[`${name}$`] as StaticOperationSchema
  return operationSchema(namespace, name, traits, input, output)
}

const contextOf = ({ sdk, model }: Subject, input: object) => ({
  ...sdk.config,
  endpoint: async () => ({
    protocol: 'https:',
    hostname: 'aws.test',
    path:
      model.name === 's3' && 'Bucket' in input ? `/bucket.${encodeURIComponent(String(input.Bucket))}` : '/',
  }),
})

/** Absent, null and empty are one and the same on most wires; dates and bytes stay what they are. */
const pruned = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (value instanceof Date) return { time: value.getTime() }
  if (Array.isArray(value)) {
    const items = value.map(pruned).filter(item => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const entries = Object.entries(value)
    .filter(([name]) => name !== '$metadata')
    .map(([name, item]) => [name, pruned(item)])
    // An empty root is how S3 says us-east-1, which clients read as an absent location.
    .filter(([name, item]) => item !== undefined && !(name === 'LocationConstraint' && item === ''))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const isStreamed = ({ output, input }: Operation): boolean =>
  [input, output].some(
    schema =>
      schema.isStructSchema() && [...schema.structIterator()].some(([, member]) => member.isStreaming()),
  )

const runs = { numRuns: 10 }

describe.each(subjects.map(subject => [subject.model.name, subject] as const))(
  'the codec of %s',
  (_, subject) => {
    const codec = createCodec(subject.model)
    const { protocol } = subject.model
    const operations = [...subject.model.operations.values()].filter(operation => !isStreamed(operation))

    test('reads what the SDK writes, for each operation', async () => {
      for (const operation of operations) {
        const inputs = operation.input.isStructSchema()
          ? valuesOf(operation.input, { side: 'request', protocol })
          : fc.constant({})
        await fc.assert(
          fc.asyncProperty(inputs as fc.Arbitrary<object>, async input => {
            const request = await protocolOf(subject).serializeRequest(
              sdkOperation(subject, operation.name),
              input,
              contextOf(subject, input) as never,
            )
            const routed = codec.route(await fromSdkRequest(request))
            expect(routed.operation.name).toBe(operation.name)
            expect(pruned(routed.readInput())).toEqual(pruned(input))
          }),
          runs,
        )
      }
    })

    test('writes what the SDK reads, for each operation', async () => {
      for (const operation of operations) {
        const outputs = operation.output.isStructSchema()
          ? valuesOf(operation.output, { side: 'response', protocol })
          : fc.constant({})
        await fc.assert(
          fc.asyncProperty(outputs as fc.Arbitrary<object>, async output => {
            const response = codec.encode(operation, output as Record<string, unknown>, 'request-id')
            const read = await protocolOf(subject).deserializeResponse(
              sdkOperation(subject, operation.name),
              contextOf(subject, {}) as never,
              toSdkResponse(response, false) as HttpResponse,
            )
            expect(pruned(read)).toEqual(pruned(output))
          }),
          runs,
        )
      }
    })

    test('writes each modelled error so that the SDK throws it by its name', async () => {
      const [operation] = operations
      if (!operation) throw new Error('a service without operations')
      for (const [code, shape] of subject.model.errors) {
        if (code.endsWith('ServiceException')) continue
        const response = codec.encodeError({ code, message: `<${code}>` }, 'request-id')
        const thrown: unknown = await protocolOf(subject)
          .deserializeResponse(
            sdkOperation(subject, operation.name),
            contextOf(subject, {}) as never,
            toSdkResponse(response, false) as HttpResponse,
          )
          .catch((error: unknown) => error)
        expect(thrown).toMatchObject({
          name: shape.schema.getName(),
          message: `<${code}>`,
          $metadata: { httpStatusCode: shape.status, requestId: 'request-id' },
        })
      }
    })
  },
)

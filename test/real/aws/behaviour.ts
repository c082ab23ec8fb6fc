import { EC2 } from '@aws-sdk/client-ec2'
import { EFS } from '@aws-sdk/client-efs'
import { ElasticLoadBalancing } from '@aws-sdk/client-elastic-load-balancing'
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2'
import { IAM } from '@aws-sdk/client-iam'
import { Route53Client } from '@aws-sdk/client-route-53'
import { S3 } from '@aws-sdk/client-s3'
import { STSClient } from '@aws-sdk/client-sts'

/** An AWS endpoint as SDK clients see it. */
export interface AwsEndpoint {
  readonly route53: Route53Client
  readonly sts: STSClient
  readonly ec2: EC2
  readonly iam: IAM
  readonly s3: S3
  readonly elb: ElasticLoadBalancing
  readonly elbv2: ElasticLoadBalancingV2
  readonly efs: EFS
  /** The same endpoint as clients of another region see it. */
  in(region: string): AwsEndpoint
  /** Lets as many milliseconds pass as AWS may take for something; where time means nothing, it does nothing. */
  pass(milliseconds: number): Promise<void>
}

/** What a program that poses as AWS is seen to do, and what AWS does. */
export interface Behaviour {
  readonly title: string
  /** Does something and tells what came of it, without ids and times that differ from run to run. */
  readonly see: (endpoint: AwsEndpoint) => Promise<unknown>
  /** What AWS shows, as far as its documentation or recordings tell. */
  readonly aws: unknown
  /** What moto shows where it differs: a known gap. When moto mends it, the suite fails and this goes. */
  readonly moto?: unknown
}

export const connectTo = (
  endpoint: string,
  pass: AwsEndpoint['pass'] = async () => {},
  region = 'eu-west-1',
): AwsEndpoint => {
  const settings = {
    endpoint,
    region,
    maxAttempts: 1,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
  }
  return {
    route53: new Route53Client(settings),
    sts: new STSClient(settings),
    ec2: new EC2(settings),
    iam: new IAM(settings),
    s3: new S3({ ...settings, forcePathStyle: true }),
    elb: new ElasticLoadBalancing(settings),
    elbv2: new ElasticLoadBalancingV2(settings),
    efs: new EFS(settings),
    in: other => connectTo(endpoint, pass, other),
    pass,
  }
}

/** What a call comes to: `read`'s view of its answer, or its error as `Code: message`. */
export const outcomeOf = async <Answer>(
  call: Promise<Answer>,
  read: (answer: Answer) => unknown,
): Promise<unknown> => {
  try {
    return read(await call)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${error.name}: ${error.message}`
  }
}

const statusOf = (error: Error): unknown =>
  '$metadata' in error && error.$metadata instanceof Object && 'httpStatusCode' in error.$metadata
    ? error.$metadata.httpStatusCode
    : undefined

/** What a call comes to: `read`'s view of its answer (default `done`), or its error as `Code 400`. */
export const codeOf = async <Answer>(
  call: Promise<Answer>,
  read: (answer: Answer) => unknown = () => 'done',
): Promise<unknown> => {
  try {
    return read(await call)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${error.name} ${statusOf(error)}`
  }
}

/** `10 s` and the like, for `pass`. */
export const minutes = (count: number): number => count * 60_000

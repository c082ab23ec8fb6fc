import { EC2 } from '@aws-sdk/client-ec2'
import { EFS } from '@aws-sdk/client-efs'
import { ElasticLoadBalancing } from '@aws-sdk/client-elastic-load-balancing'
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2'
import { IAM } from '@aws-sdk/client-iam'
import { Route53Client } from '@aws-sdk/client-route-53'
import { S3 } from '@aws-sdk/client-s3'
import { STSClient } from '@aws-sdk/client-sts'

/** The SDK clients of an AWS endpoint. */
export interface AwsEndpoint {
  readonly route53: Route53Client
  readonly sts: STSClient
  readonly ec2: EC2
  readonly iam: IAM
  readonly s3: S3
  readonly elb: ElasticLoadBalancing
  readonly elbv2: ElasticLoadBalancingV2
  readonly efs: EFS
  /** Returns the clients of the same endpoint for another region. */
  in(region: string): AwsEndpoint
  /** Lets the milliseconds pass that AWS may take. Does nothing on an endpoint without time. */
  pass(milliseconds: number): Promise<void>
}

/** The observed behavior of an AWS endpoint, and that of AWS. */
export interface Behaviour {
  readonly title: string
  /** Performs actions and returns the result, without ids and times that differ between runs. */
  readonly see: (endpoint: AwsEndpoint) => Promise<unknown>
  /** The result of AWS, according to its documentation or recordings. */
  readonly aws: unknown
  /** The different result of moto: a known gap. If moto fixes it, the suite fails and this entry is removed. */
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

/** Returns the outcome of a call: `read` of its answer, or its error as `Code: message`. */
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

/** Returns the outcome of a call: `read` of its answer (default `done`), or its error as `Code 400`. */
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

/** Returns milliseconds, for `pass`. */
export const minutes = (count: number): number => count * 60_000

import { Route53Client } from '@aws-sdk/client-route-53'
import { STSClient } from '@aws-sdk/client-sts'

/** An AWS endpoint as SDK clients see it. */
export interface AwsEndpoint {
  readonly route53: Route53Client
  readonly sts: STSClient
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

export const connectTo = (endpoint: string): AwsEndpoint => {
  const settings = {
    endpoint,
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
  }
  return { route53: new Route53Client(settings), sts: new STSClient(settings) }
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

import { Route53Client } from '@aws-sdk/client-route-53'
import { STSClient } from '@aws-sdk/client-sts'
import type { Aws } from '../aws-interface.ts'

export interface ClientOptions {
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  /** Default: 1, so tests see the first response. */
  readonly maxAttempts?: number
  /** The simulator's URL. Default: in process. */
  readonly endpoint?: string
}

/** Returns settings for a client of any service that connects to the simulator. */
export const clientSettings = (
  aws: Aws,
  {
    accessKeyId = 'AKIATEST',
    secretAccessKey = 'secret',
    sessionToken,
    maxAttempts = 1,
    endpoint,
  }: ClientOptions = {},
) => ({
  region: 'eu-west-1',
  maxAttempts,
  credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  ...(endpoint === undefined ? { requestHandler: aws.requestHandler } : { endpoint }),
})

/** Returns a real SDK client for the simulator. */
export const route53Of = (aws: Aws, options: ClientOptions = {}): Route53Client =>
  new Route53Client(clientSettings(aws, options))

export const stsOf = (aws: Aws, options: ClientOptions = {}): STSClient =>
  new STSClient(clientSettings(aws, options))

/** Returns the error of a call that must fail. */
export const failureOf = async (call: Promise<unknown>): Promise<Error> => {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw new Error('the call succeeded, or threw something that is no error')
}

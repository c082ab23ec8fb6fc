import type { ServiceModel } from './model.ts'

/** An error to send to the client. */
export interface WireError {
  /** The code that clients match on: `NoSuchHostedZone`. */
  readonly code: string
  readonly message: string
  /** HTTP status. Defaults to the status that the service's model gives the code, else 400. */
  readonly status?: number
  /** Further members of the error's shape. In XML also texts that the model does not define (S3's `BucketName`). */
  readonly members?: Readonly<Record<string, unknown>>
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the HTTP status of an error: its own, else the model's, else 400. */
export const errorStatus = (model: ServiceModel, error: WireError): number =>
  error.status ?? model.errors.get(error.code)?.status ?? 400
